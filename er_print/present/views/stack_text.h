/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A call stack as lines of text or as one word, for reports that show stacks one by one. */
#ifndef STACK_TEXT_H
#define STACK_TEXT_H

#include "session.h"

/* One line a frame, innermost first, as the session shows stacks: "  main + 0x00000028, line 14 in "a.c"", as a text of the
   table. */
const char *stack_lines(struct session *session, struct table *table, uint32_t stack);
/* The names of its functions, the outermost first: "_start;main;work", as a text of the table. */
const char *stack_folded(struct session *session, struct table *table, uint32_t stack);
/* Both without the C library's functions below main(). */
const char *stack_lines_from_main(struct session *session, struct table *table, uint32_t stack);
const char *stack_folded_from_main(struct session *session, struct table *table, uint32_t stack);

#endif
