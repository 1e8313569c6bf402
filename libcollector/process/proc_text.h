/* SPDX-License-Identifier: Apache-2.0 */
/* Small files of /proc. Async-signal-safe. */
#ifndef PROC_TEXT_H
#define PROC_TEXT_H

#include <stddef.h>

/* Reads a file from its beginning, as much of it as there is room for, and ends the text with 0. Returns its size; 0: it could not
   be read. */
size_t proc_text_read(const char *path, char *text, size_t capacity);

#endif
