/* SPDX-License-Identifier: Apache-2.0 */
/* Within the openmp kind: its file, its events, and the stacks of where regions and tasks begin. All by a thread that is known and
   under its guard, if nothing else is said. */
#ifndef OPENMP_EVENTS_H
#define OPENMP_EVENTS_H

#include "joined.h"
#include "kinds.h"
#include "task.h"
#include <stdbool.h>
#include <stdint.h>

/* The process: a fork child has another one. Even. Without a guard, too. */
uint64_t openmp_era(void);
/* Makes the file at the first call of the process. False: it could not be made. */
bool openmp_has_file(void);

/* The number of a region; both count in the process, from 1. */
uint64_t openmp_region_number(void);
/* A number of a task; they are not in the order in which they are taken. */
uint64_t openmp_task_number(void);

enum openmp_what {
	REGION_BEGIN = STATE_VALUE(OPENMP, what, region_begin),
	REGION_END = STATE_VALUE(OPENMP, what, region_end),
	MEMBER_BEGIN = STATE_VALUE(OPENMP, what, member_begin),
	MEMBER_END = STATE_VALUE(OPENMP, what, member_end),
	TASK = STATE_VALUE(OPENMP, what, task),
	WAIT = STATE_VALUE(OPENMP, what, wait),
};
struct openmp_event {
	enum openmp_what what;
	uint32_t stack;
	unsigned requested;
	uint64_t region, parent, task;
	uint64_t duration, waited; /* raw time */
	uint64_t waits;
	unsigned construct;
};
/* At a raw time. */
void openmp_append(const struct openmp_event *event, uint64_t time);

/* The code of a run-time with the interface for tools, whose frames are left out of the calls' stacks. Without a guard. */
void openmp_run_time_code(uintptr_t start, uintptr_t size);

struct call_place {
	uint32_t stack;  /* the call's, as far as it is known (struct region_place); 0: no memory or disk */
	uint32_t caller; /* without the function of the region or task */
	uint32_t depth;  /* of that, in frames */
	bool unplaced;   /* of a task: see below */
};
struct call_place openmp_call(const struct region_place *place);
/* Programs that create tasks in tasks, over and over, have a stack for each of these. After so many that they would be a burden
   no more are made, nor where the thread's stack is so deep that a walk takes long, as a task that waits for tasks runs others
   inside of it. A task is unplaced then: it stands where the one stands that creates it, and its call's stack is that of its code
   on this. */
struct call_place openmp_task_call(const struct region_place *place);
/* Likewise of a wait in a region or task. */
struct call_place openmp_wait_call(const struct region_place *place);
/* Whether tasks are, at this frame address. */
bool openmp_is_unplaced(const void *frame);

/* The thread's own stack, on which what it does at the place stands; 0: it is not known. */
uint32_t openmp_base(const struct member_place *place);
/* Inside of that base the thread's stacks stand on the caller's from now on (`time`, raw). `kind`: CONTEXT_JOIN or
   CONTEXT_JOIN_TASK. */
void openmp_join(uint32_t base, uint32_t caller, uint64_t kind, uint64_t time);

#endif
