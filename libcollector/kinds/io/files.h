/* SPDX-License-Identifier: Apache-2.0 */
/* The files behind the target's descriptors. Open calls tell them; /proc tells those of inherited, received and copied ones at
   first sight. A descriptor whose number was closed is not known any more, so that it is looked up again. */
#ifndef FILES_H
#define FILES_H

#include "io.h"

/* When recording starts: nothing is known, names are recorded anew. */
void files_start(void);

/* The file behind a descriptor, looked up if it is not known; {0, 0} if that fails, or for -1. Not in our handlers. */
struct io_entry files_of(int descriptor);
/* The file behind a descriptor that has just been opened. Where /proc cannot tell it, it is the path as the program gave it. */
struct io_entry files_opened(int descriptor, const char *path);
/* The entry of a path that could not be opened. */
struct io_entry files_named(const char *path);

/* A descriptor is closed, or will stand for something else: before the real call, and after it, for what another thread has
   looked up meanwhile. -1: none. */
void files_forget(int descriptor);

#endif
