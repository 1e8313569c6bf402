/* SPDX-License-Identifier: Apache-2.0 */
/* The kind of program that an exec will run: can our library be preloaded into it? */
#ifndef IMAGE_H
#define IMAGE_H

#include "program_image.h"
#include <stdbool.h>

/* The kind of `path`, relative to `directory` (AT_FDCWD, or a descriptor that stands for the file itself if path is ""). Scripts:
   of their interpreter. What is no program by itself, a text or a damaged file, is IMAGE_DYNAMIC: a shell may run it. In any
   process, also a vfork child; no malloc. */
enum image image_of(int directory, const char *path);
/* The kind of a command that is searched for in PATH as execvp() does. */
enum image image_of_command(const char *file);
/* Why an image is not followed, or 0. */
const char *image_reason(enum image image);
/* Whether an environment tells AddressSanitizer not to look what was loaded before it, as collect does for such a founder. */
bool environment_permits_preload(char *const *environment);

#endif
