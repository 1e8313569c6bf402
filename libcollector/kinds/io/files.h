/* SPDX-License-Identifier: Apache-2.0 */
/* What the target's descriptors stand for: its open calls tell, and for what is inherited, received or copied /proc does, at
   first sight. A descriptor whose number was closed is not known any more, so that it is looked up again. */
#ifndef FILES_H
#define FILES_H

#include "io.h"

/* When recording starts: nothing is known, names are recorded anew. */
void files_start(void);

/* What a descriptor stands for, looked up if it is not known; {0, 0} if that fails, or for -1. Not in our handlers. */
struct io_entry files_of(int descriptor);
/* What a descriptor that has just been opened stands for; /proc cannot tell: the path as the program gave it. */
struct io_entry files_opened(int descriptor, const char *path);
/* What a path stands for that could not be opened. */
struct io_entry files_named(const char *path);

/* A descriptor is closed, or will stand for something else: before the real call, and after it, for what another thread has
   looked up meanwhile. -1: none. */
void files_forget(int descriptor);

#endif
