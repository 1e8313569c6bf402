/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ctrl-C. It ends er_print, leaving no half of a file behind; at the prompt it gives up the line or the command, and ends er_print
   only if it comes again before that. */
#ifndef INTERRUPTION_H
#define INTERRUPTION_H

#include <setjmp.h>
#include <stdbool.h>

/* From here on. A SIGINT that was ignored stays ignored. */
void interruption_begin(void);
/* There is a prompt: where to go on after an interruption is what sigsetjmp() has put there. */
sigjmp_buf *interruption_place(void);
/* A line is read now: Ctrl-C goes there at once. */
void interruption_reading(bool reading);
/* Whether a command was interrupted, which is forgotten then. */
bool interruption_take(void);

#endif
