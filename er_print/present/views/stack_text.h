/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A call stack as lines of text, for reports that show stacks one by one. */
#ifndef STACK_TEXT_H
#define STACK_TEXT_H

#include "session.h"

/* One line a frame, innermost first, as the session shows stacks: "  main + 0x00000028, line 14 in "a.c"". */
void stack_print(struct session *session, uint32_t stack);

#endif
