/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of collect: errors and warnings on stderr, answers on stdout, or all of it in the file of -O. The
   target's own output never passes through here. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include "error.h"
#include <stdbool.h>

/* From now on everything goes to the end of this file (-O). */
bool message_set_file(const char *path, struct error *error);

/* One line "collect: TEXT" on stderr. */
void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* As message_error(), where collect goes on; the text begins with "Warning: " where the user should look at it. */
void message_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* An answer that was asked for, as it is, on stdout. */
void message_answer(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Unasked-for information, as it is, on stderr (-v). */
void message_information(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Where the start line goes: the file of -O, else stdout, else, if stdout is not a terminal, stderr: what a pipe or a
   file gets from the target must be what it gets without us. */
int message_start_descriptor(void);

#endif
