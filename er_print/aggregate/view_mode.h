/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The models of a stack that a user can choose (command viewmode), and rewriting a stack for them. */
#ifndef VIEW_MODE_H
#define VIEW_MODE_H

#include "resolver.h"

enum view_mode {
	VIEW_USER,    /* inlined functions are frames, the kernel's are not; regions were called by who began them */
	VIEW_EXPERT,  /* both are, and what was found by heuristics is marked */
	VIEW_MACHINE, /* the functions that exist as code, the kernel's too: no inlined frames; by thread */
	VIEW_MODE_COUNT
};
/* "user" etc. */
const char *view_mode_name(enum view_mode mode);

/* The stack whose frames and callers are shown for a stack: the one that its thread had, or the one where parallel regions were
   called by who began them. Its id is at most the stack's. */
uint32_t view_mode_stack(enum view_mode mode, const struct data *data, uint32_t stack);

/* Rewrites the frames at one address, innermost first, in place; returns how many are left: none of the kernel's in the
   user's view and of OpenMP's run-time in all but the machine's, else at least one. */
unsigned view_mode_rewrite(enum view_mode mode, struct frame *frames, unsigned count);

#endif
