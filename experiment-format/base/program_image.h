/* SPDX-License-Identifier: Apache-2.0 */
/* The kind of program that a file is, before it is run: can the collector be preloaded into it? No malloc, no stdio, in any
   process, also a vfork child: the collector asks it before each exec, collect before the first. */
#ifndef PROGRAM_IMAGE_H
#define PROGRAM_IMAGE_H

enum image {
	IMAGE_DYNAMIC,    /* loads our library, or is of a format that only the kernel knows */
	IMAGE_MISSING,    /* cannot be executed: the exec will fail */
	IMAGE_STATIC,     /* has no ld.so that would load it */
	IMAGE_PRIVILEGED, /* set-user-id and the like: ld.so does not load it */
	IMAGE_SANITIZED,  /* loads it, and then AddressSanitizer ends it, unless its environment says otherwise */
	IMAGE_FOREIGN,    /* of another architecture or word size */
	IMAGE_OTHER_LIBC, /* its loader is not glibc's: it could not load it */
	/* Those after this one are no programs by themselves. */
	IMAGE_DAMAGED, /* begins like an ELF program and is none */
	IMAGE_SCRIPT,  /* a text that names its interpreter */
	IMAGE_TEXT,    /* a text that names none: a shell runs it */
	IMAGE_OTHER,   /* of a format that only the kernel knows, if it does */
};
enum image_privilege { PRIVILEGE_USER, PRIVILEGE_GROUP, PRIVILEGE_CAPABILITIES };

enum { IMAGE_PATH_SIZE = 512, INTERPRETERS_MAX = 5 /* scripts run by scripts; the kernel's limit */ };

struct image_facts {
	enum image_privilege privilege; /* of IMAGE_PRIVILEGED */
	char path
		[IMAGE_PATH_SIZE]; /* the interpreter of IMAGE_SCRIPT, or the loader (the end of a longer path) of a program */
};
/* The kind of an open file, which stays the caller's. One that cannot be read counts as IMAGE_DYNAMIC. */
enum image image_of_file(int fd, struct image_facts *facts);

/* AddressSanitizer reads this in ASAN_OPTIONS: then it does not look whether a library was loaded before it. */
#define SANITIZER_VARIABLE "ASAN_OPTIONS"
#define SANITIZER_PERMIT   "verify_asan_link_order=0"

#endif
