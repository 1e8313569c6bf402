/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One time for all runs that are loaded: that of the first of them to start, by the time of day. The experiments of each run have
   one already. */
#ifndef TRACE_TIMES_H
#define TRACE_TIMES_H

#include "session.h"

struct trace_times {
	uint64_t *shift; /* by experiment: nanoseconds from the first start to its founder's */
	uint64_t start;  /* the first, CLOCK_REALTIME nanoseconds; 0: not known */
};
/* The caller frees it. */
struct trace_times trace_times_make(const struct data *data);
void trace_times_free(struct trace_times *times);

#endif
