/* SPDX-License-Identifier: Apache-2.0 */
/* The part that we use of the interface of OpenMP run-times for tools. Source: OpenMP API 5.0, chapter 4 ("OMPT Interface"), and of
   5.1 the kinds of implicit barriers; omp-tools.h, which has all of it, comes with clang alone. */
#ifndef OMPT_INTERFACE_H
#define OMPT_INTERFACE_H

#include <stdint.h>

union ompt_data {
	uint64_t value;
	void *pointer;
};

struct ompt_frame; /* not used */

enum ompt_endpoint { OMPT_BEGIN = 1, OMPT_END = 2 };
enum ompt_parallel_flag { OMPT_PARALLEL_LEAGUE = 0x40000000 }; /* of teams: no parallel region */
enum ompt_task_flag { OMPT_TASK_IMPLICIT = 2, OMPT_TASK_EXPLICIT = 4, OMPT_TASK_UNDEFERRED = 0x08000000 };
enum ompt_task_status {
	OMPT_TASK_COMPLETE = 1,
	OMPT_TASK_YIELD = 2,
	OMPT_TASK_CANCEL = 3,
	OMPT_TASK_DETACH = 4,
	OMPT_TASK_SWITCH = 7,
};
enum ompt_sync {
	OMPT_SYNC_BARRIER = 1,
	OMPT_SYNC_IMPLICIT = 2, /* of 5.0: of a loop or of the region */
	OMPT_SYNC_EXPLICIT = 3,
	OMPT_SYNC_IMPLEMENTATION = 4, /* one that a construct needs */
	OMPT_SYNC_TASKWAIT = 5,
	OMPT_SYNC_TASKGROUP = 6,
	OMPT_SYNC_REDUCTION = 7,
	OMPT_SYNC_WORKSHARE = 8,         /* of a loop, of sections or of a single */
	OMPT_SYNC_IMPLICIT_PARALLEL = 9, /* the region's */
};
enum ompt_mutex { /* those that a thread waits for */
	OMPT_MUTEX_LOCK = 1,
	OMPT_MUTEX_NEST_LOCK = 3,
	OMPT_MUTEX_CRITICAL = 5,
	OMPT_MUTEX_ATOMIC = 6,
	OMPT_MUTEX_ORDERED = 7,
};
enum ompt_state { OMPT_STATE_WORK_PARALLEL = 1, OMPT_STATE_WORK_REDUCTION = 2 };
enum ompt_callback_number {
	OMPT_PARALLEL_BEGIN = 3,
	OMPT_PARALLEL_END = 4,
	OMPT_TASK_CREATE = 5,
	OMPT_TASK_SCHEDULE = 6,
	OMPT_IMPLICIT_TASK = 7,
	OMPT_SYNC_REGION_WAIT = 16,
	OMPT_SYNC_REGION = 23,
	OMPT_MUTEX_ACQUIRE = 26,
	OMPT_MUTEX_ACQUIRED = 27,
	OMPT_NEST_LOCK = 28,
};

typedef void ompt_callback(void);
typedef ompt_callback *ompt_lookup(const char *name);
typedef int ompt_set_callback(int number, ompt_callback *callback);
typedef int ompt_get_state(uint64_t *wait);

struct ompt_tool {
	int (*initialize)(ompt_lookup *lookup, int device, union ompt_data *tool_data); /* 0: the tool is off */
	void (*finalize)(union ompt_data *tool_data);
	union ompt_data tool_data;
};

#endif
