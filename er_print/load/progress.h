/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line on the terminal about work that takes long, and the places where work can be given up. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdint.h>

/* A command begins: what goes on for a second from here gets a line, if standard error is a terminal. */
void progress_begin(void);
/* Says what is being done, and how much of it is done; `whole` 0: it is not known how much there is. Cheap: the line is written ten
   times a second at most. */
void progress_show(const char *what, uint64_t done, uint64_t whole);
/* Takes the line away; for signal handlers too. */
void progress_clear(void);

/* Work can be given up here: nothing is half done but what only the callers hold. Calls the function that was set, which need not
   return. */
void progress_checkpoint(void);
void progress_set_checkpoint(void (*function)(void));

#endif
