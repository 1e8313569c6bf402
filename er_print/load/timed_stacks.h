/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacks that events have by their time. A thread that waits inside of a run-time, to which it came back from the program, has
   only that run-time's functions on its own stack. What it waits for is known from when it was. */
#ifndef TIMED_STACKS_H
#define TIMED_STACKS_H

#include "data.h"
#include "number_map.h"

/* The stack of a thread's events from a time on, ns since the founder's start. */
struct timed_stack {
	uint64_t time;
	uint32_t stack;  /* 0: what they were recorded with */
	uint32_t caller; /* of the run-time, in timed_stacks' terms; it is on no other stack */
};
struct timed_stacks {
	struct number_map threads; /* by number_pair of experiment and thread: places of */
	struct timed_thread {
		struct timed_stack *changes; /* in the order of time */
		uint32_t count, capacity;
	} * of;
	uint32_t thread_count;
	/* [stack] the stack itself, or the innermost of its callers, that is the program's; 0: there is none. */
	uint32_t *caller;
	uint32_t caller_count;
};
void timed_stacks_free(struct timed_stacks *timed);

/* Puts the stacks of a batch's events in place of theirs, where those have nothing of the program beyond the caller of the
   run-time, or are guessed. An event that lasts counts as of its middle. OpenMP's own events keep theirs. Thread-safe. */
void timed_stacks_apply(const struct timed_stacks *timed, uint32_t experiment, enum kind kind,
	const struct data_batch *batch, uint32_t *stack);

#endif
