/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP tracing: the events of parallel regions and of the members of their teams (those of tasks: task.h). Who tells of them
   depends on the run-time: libgomp.c stands in front of libgomp's functions, ompt.c is called by run-times that have the
   interface of OpenMP 5.0 for tools. */
#ifndef OPENMP_H
#define OPENMP_H

#include "joined.h"
#include <stdbool.h>
#include <stdint.h>

struct thread;
struct task_run;

/* A parallel region that runs. */
struct region {
	uint64_t number, parent; /* in the process, from 1; of the region around it, 0: none */
	uint64_t era;            /* of the process: not that of a fork child */
	uint32_t caller;         /* the stack of its begin without its own function */
	uint32_t depth;          /* of that, in frames */
	uint32_t outer_depth;    /* of what the stacks of who encountered it stood on */
	const struct thread *by; /* that one, */
	struct stack_join outer; /* where that one's stacks stood */
	struct task_run *task;   /* and the task that it ran; 0: none */
	uint64_t waited;         /* raw time for which it had waited there */
};

/* Where a member of a team begins its work: in the interposed function or callback with this frame address. */
struct member_place {
	const void *frame;   /* 0: its stacks are the program's own calls as they are */
	bool without_caller; /* the caller of that calls the work, too, from another place in its code */
};

/* Where a region begins, or a task is created. Its stack is that of the interposed function or callback with this frame address;
   and its leaf */
struct region_place {
	const void *frame;
	const void *function; /* is this function of it: it has its line, which the call may not have */
	const void *
		call; /* or the code after this call, to the run-time, whose own frames are left out; 0: it has `function` */
	const void *body; /* of a wait: the function that waits is this one, and not on the stack any more; else 0 */
};

/* Around a region, in the thread that encounters it. False: it is not recorded; then the others are not called. Both leave errno
   as it is, as those below do. */
bool region_begin(struct region *region, unsigned requested, const struct region_place *place);
void region_end(const struct region *region);
/* Around the work of a member of its team, in that thread, which works in the region meanwhile: what it does was called by who
   began the region. False: it is not recorded; then member_end() is not called. */
bool member_begin(const struct region *region, const struct member_place *place);
void member_end(const struct region *region);

/* When recording begins, also in a fork child: what was known stays (libgomp_search.c). */
void libgomp_start(void);

#endif
