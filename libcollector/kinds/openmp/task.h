/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP tracing: the events of explicit tasks, each with the time that it ran. What a task does was called by who created it. */
#ifndef TASK_H
#define TASK_H

#include "openmp.h"
#include <stdbool.h>
#include <stdint.h>

/* A task from its creation to its end, which another thread may see. */
struct task {
	uint64_t number;        /* in the process, from 1; 0: it gets one when it runs */
	uint64_t parent;        /* of the task that created it, 0: none did */
	uint64_t region;        /* in which it was created */
	uint64_t era;           /* of the process: not that of a fork child */
	uint64_t ran;           /* for so long already, in raw time, without tasks inside of it in the same region */
	uint64_t waited;        /* of that in waits */
	uint32_t stack, caller; /* of its creation, without its own function */
	uint32_t depth;         /* of the latter, in frames */
	uint32_t
		made_on; /* what the call that created it stands on, if the creator may call its function itself; else 0 */
};

/* A time that a thread runs it, while no other thread does. */
struct task_run {
	struct task *task;      /* atomic; 0: another run has taken over, or it is not recorded */
	uint64_t number;        /* its own */
	void *told;             /* ompt.c's; 0: it is libgomp's */
	struct task_run *outer; /* that it interrupts */
	uint64_t begun, inner;  /* raw time: since when, and for how long tasks ran inside of it */
	uint64_t era;           /* of the process */
	/* Where the thread was. */
	uint64_t region, waited;
	struct omp_wait *wait;
	struct stack_join join;
	uint32_t depth;
	bool joined; /* its stacks stand on those of its creation; else its creator calls it */
};

/* Whether one that the thread creates now, at this frame address, may be recorded with some of its stack: a task's creator may
   run it at once, and that one the next. */
bool task_is_wanted(const void *frame);
/* In the thread that creates it. `here`: of an undeferred one, where that is; else 0. False: it is not recorded, as none is
   outside of regions; then the others are not called. */
bool task_create(struct task *task, const struct region_place *place, const struct member_place *here);
/* Around each run, in the thread that runs it; runs of a thread nest. False: it is not recorded; then task_leave() is not called.
   */
bool task_enter(struct task_run *run, struct task *task, const struct member_place *place);
void task_leave(struct task_run *run);
/* Another thread runs the task from now on, and `run` is not told of its end. */
void task_take_over(struct task_run *run);
/* After its last run, in the thread that left it. */
void task_end(const struct task *task);

/* Counts, in this thread, one more task whose stack is not kept (openmp_events.h), or none more for now. Under its guard. */
void task_count_unplaced(bool one);

#endif
