/* SPDX-License-Identifier: Apache-2.0 */
/* Writing the events of a reading of a thread's records, in the order of time: intervals, and between them the waits of others that
   the thread ended. Async-signal-safe. */
#ifndef INTERVAL_RECORD_H
#define INTERVAL_RECORD_H

#include "intervals.h"
#include "late_samples.h"

/* A time during which the thread did not run. */
struct interval {
	enum thread_state state;
	uint64_t from, to;
	uint64_t object;
	uint32_t cpu;
	struct found_stack {
		uint32_t stack;
		enum place place;
	} found;
};

/* Records the interval, and before it the waits that the thread ended until then. */
void interval_record(struct reading *reading, const struct interval *interval);
/* Records the waits that the thread ended before that raw time. */
void ended_record(struct reading *reading, uint64_t before);

/* The stack of a sample that is read late. */
struct found_stack stack_of_sample(const struct reading *reading, const struct late_samples *samples);

#endif
