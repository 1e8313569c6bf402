/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When each thread ran: its life while it was recorded, less the intervals that it was off the CPU. Of a thread whose intervals are
   not known, or not all, it is the CPU time of each clock event just before the event. */
#ifndef THREAD_RUNS_H
#define THREAD_RUNS_H

#include "data.h"
#include "number_map.h"
#include "recorded_time.h"

/* Stretches are in ns since the founder's start, ascending and apart. */
struct thread_runs {
	uint32_t experiment, number;
	uint64_t begin, end; /* of its life */
	struct stretch *runs;
	uint32_t count;
	bool exact;          /* it is by its intervals, which are all there */
	struct stretch *off; /* else those that are */
	uint32_t off_count;
};
struct all_runs {
	struct thread_runs *threads;
	uint32_t count;
	struct number_map index; /* by number_pair of experiment and thread number */
};
void thread_runs_read(struct all_runs *all, struct data *data);
void thread_runs_free(struct all_runs *all);

/* The thread's index, or NO_NUMBER. */
static inline uint32_t thread_runs_find(const struct all_runs *all, uint32_t experiment, uint32_t number)
{
	return number_map_find(&all->index, number_pair(experiment, number));
}

#endif
