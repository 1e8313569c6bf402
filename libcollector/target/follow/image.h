/* SPDX-License-Identifier: Apache-2.0 */
/* The kind of program that a file is, before it is exec'd: can our library be preloaded into it? */
#ifndef IMAGE_H
#define IMAGE_H

enum image {
	IMAGE_DYNAMIC,    /* loads our library, or is of a format that only the kernel knows */
	IMAGE_MISSING,    /* cannot be executed: the exec will fail */
	IMAGE_STATIC,     /* has no ld.so that would load it */
	IMAGE_PRIVILEGED, /* set-user-id and the like: ld.so does not load it */
	IMAGE_SANITIZED,  /* loads it, and then AddressSanitizer ends it, unless its environment says otherwise */
	IMAGE_FOREIGN,    /* of another architecture or word size */
	IMAGE_OTHER_LIBC, /* its loader is not glibc's: it could not load it */
};

/* The kind of `path`, relative to `directory` (AT_FDCWD, or a descriptor that stands for the file itself if path is ""). Scripts:
   of their interpreter. In any process, also a vfork child; no malloc. */
enum image image_of(int directory, const char *path);
/* The kind of a command that is searched for in PATH as execvp() does. */
enum image image_of_command(const char *file);
/* Why an image is not followed, or 0. */
const char *image_reason(enum image image);

#endif
