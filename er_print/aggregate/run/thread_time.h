/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For how long the threads of each process have lived by any moment, summed over them. */
#ifndef THREAD_TIME_H
#define THREAD_TIME_H

#include "data.h"

struct thread_times {
	struct moments { /* ascending, with the sum of those before each */
		uint64_t *time, *sum;
		uint32_t count;
	} * starts, *ends; /* by experiment */
	uint32_t experiment_count;
};
void thread_times_read(struct thread_times *times, struct data *data);
void thread_times_free(struct thread_times *times);
/* From the start of the experiment's recording to a moment, both in ns since its founder's start. */
uint64_t thread_time_until(const struct thread_times *times, uint32_t experiment, uint64_t moment);

#endif
