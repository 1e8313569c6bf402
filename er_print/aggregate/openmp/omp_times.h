/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In which parallel region of OpenMP, in which task and in which state a thread was when. */
#ifndef OMP_TIMES_H
#define OMP_TIMES_H

#include "data.h"
#include "number_map.h"
#include "omp_state.h"

/* A region that ran; times are ns since the founder's start. */
struct omp_instance {
	uint64_t number, parent; /* in its process; 0: none is around it */
	uint64_t end;
	uint32_t stack; /* of its begin */
	bool ended;
};
struct omp_task_number {
	uint64_t number, parent; /* 0: none created it */
};
/* The region, task and state of a thread from a time on. */
struct omp_change {
	uint64_t time;
	uint32_t region, task; /* places; NO_NUMBER: none */
	uint32_t stack;        /* of the call that waits, if it waits in a region; else 0 */
	enum omp_state state;
};
struct omp_thread_times {
	uint32_t experiment;
	struct omp_change *changes;
	uint32_t count, capacity;
};
struct omp_times {
	struct data *data;
	uint32_t process_count;
	struct omp_process {
		struct number_map numbers; /* of regions: their places */
		struct omp_instance *regions;
		uint32_t region_count, region_capacity;
		struct omp_task_number *tasks;
		uint32_t task_count, task_capacity;
	} * processes;             /* by experiment */
	struct number_map threads; /* by number_pair of experiment and thread: places of */
	struct omp_thread_times *thread_times;
	uint32_t thread_count, thread_capacity;
};
/* A task that ran in several threads, or with pauses, is where it ended; a wait of less than 10 microseconds is where it was.
   The caller frees it. */
struct omp_times *omp_times_read(struct data *data);
void omp_times_free(struct omp_times *times);

/* The changes of a thread, in the order of time; before the first it is in none of them. 0: it was in none. */
const struct omp_thread_times *omp_times_of(const struct omp_times *times, uint32_t experiment, uint32_t thread);
/* The thread at that time. */
struct omp_change omp_times_at(const struct omp_times *times, uint32_t experiment, uint32_t thread, uint64_t time);
/* That of a change; 0: it is in none. */
const struct omp_instance *omp_region_of(
	const struct omp_times *times, uint32_t experiment, const struct omp_change *change);
const struct omp_task_number *omp_task_of(
	const struct omp_times *times, uint32_t experiment, const struct omp_change *change);
/* The region of that number in the process; 0: it is not known. */
const struct omp_instance *omp_region_numbered(const struct omp_times *times, uint32_t experiment, uint64_t number);

#endif
