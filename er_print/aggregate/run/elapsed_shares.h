/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the elapsed time of a program, a founder with its descendants, is divided among its threads. Those that run at a moment have
   equal parts of it. A moment at which none runs belongs to the thread that runs next: its wait is the one that all the others
   waited for. The last of them, after which no thread runs, belong to the thread that ends last. So the parts add up to the time
   from the beginning of the program's first thread to the end of its last. Source of the first rule: the latency profiling of
   perf (perf-report, "latency"). */
#ifndef ELAPSED_SHARES_H
#define ELAPSED_SHARES_H

#include "thread_runs.h"

struct elapsed_shares {
	struct all_runs runs;
	struct thread_shares {
		struct ran {               /* by run: before it */
			double own, share; /* ns that the thread ran, ns of the program's time that it got for it */
		} * before;
		struct ran whole;
		struct idle_times { /* times at which no thread ran that are this thread's, ascending: */
			struct idle {
				uint64_t from, to, before; /* before: how long those before it are */
			} * all;
			uint32_t count, capacity;
		} waited, bare; /* those of its intervals off the CPU, and of none that is known */
		uint64_t lead;  /* ns before it began at which no thread ran that are this thread's */
	} * threads;            /* by index in runs.threads */
	struct curve {          /* of each founder: what a thread that always runs would get */
		uint64_t *time;
		double *share;
		uint32_t count;
	} * curves; /* by founder's index in data->experiments */
	const struct data *data;
};
void elapsed_shares_read(struct elapsed_shares *shares, struct data *data);
void elapsed_shares_free(struct elapsed_shares *shares);

/* The time that the thread of this index had run by a moment, and its part of the elapsed time for that, with idle times of no
   interval. */
struct ran elapsed_share_until(const struct elapsed_shares *shares, uint32_t thread, uint64_t moment);
/* How much of the times at which no thread ran is this thread's, in an interval that it was off the CPU. */
uint64_t elapsed_share_idle(const struct elapsed_shares *shares, uint32_t thread, uint64_t from, uint64_t to);

#endif
