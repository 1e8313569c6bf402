/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How stacks are shown: the view mode, and which load objects are shown with their functions. Every report has its stacks
   from here; view_mode.h does the first half. */
#ifndef STACK_VIEW_H
#define STACK_VIEW_H

#include "resolver.h"
#include "view_mode.h"

enum object_expansion {
	OBJECT_SHOWN,  /* all its functions */
	OBJECT_HIDDEN, /* one function that stands for it: calls inside it vanish */
	OBJECT_API,    /* the functions that are called from outside; calls inside it vanish */
	OBJECT_EXPANSION_COUNT
};
struct stack_view {
	enum view_mode mode;
	const enum object_expansion *expansion; /* by load object; 0: all are shown */
};

enum { NO_OBJECT = UINT32_MAX };
/* Rewrites the frames at one address, innermost first, in place; returns how many are left, perhaps none. `inside` is the
   object whose inner calls vanish at the caller, or NO_OBJECT, and is set to that at the innermost frame. */
unsigned stack_view_rewrite(struct resolver *resolver, const struct stack_view *view, struct frame *frames,
	unsigned count, uint32_t *inside);

#endif
