/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The intervals between the samples of each thread. Samples are readings of counters; in experiments without them, clock ticks.
   An interval in which the thread was off the CPU is cut there: the time off it is an interval of its own, and where its stack
   is known it is a sample of where the thread was. */
#ifndef SAMPLE_INTERVALS_H
#define SAMPLE_INTERVALS_H

#include "event_filter.h"
#include "space_counters.h"

struct sample_interval {
	uint32_t experiment, thread;
	uint64_t from, to;             /* ns since the founder's start */
	uint32_t from_stack, to_stack; /* of the samples at its ends */
	uint32_t known;                /* bit i: counted[i] is known */
	/* By the numbers of struct space_counters; off the CPU only that time is known, and that the clock's are nothing. */
	uint64_t counted[SPACE_COUNTERS_MAX];
	bool goes_on;              /* another part of this interval was visited before */
	bool off_cpu;              /* from here on */
	uint32_t off_stack, state; /* kinds.def: OFFCPU, state */
	bool aside;                /* it did not wait: it would have run on where it was */
};
typedef void interval_visitor(void *context, const struct sample_interval *interval);

/* value_of: by experiment (space_counters_add). Visits the intervals whose later sample the filter keeps, each thread's in the
   order of time. */
void sample_intervals_visit(struct data *data, unsigned (*value_of)[SPACE_VALUES_MAX],
	const struct event_filter *filter, interval_visitor *visitor, void *context);

#endif
