/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In which states each thread was during equal parts of the elapsed time. It was on a CPU when it ran (thread_runs.h); time that
   nothing explains says not where it was, and is in no state, or seems to be on a CPU. */
#ifndef STATE_TIMELINE_H
#define STATE_TIMELINE_H

#include "data.h"
#include "event_filter.h"
#include "kinds.h"

/* States are numbered as kinds.def does (OFFCPU, state), but: */
enum {
	TIMELINE_ON_CPU = STATE_VALUE(OFFCPU, state, unexplained),
	TIMELINE_STATES = STATE_VALUE(OFFCPU, state, stopped) + 1,
};
struct timeline_thread {
	uint32_t experiment, number;
	float (*time)[TIMELINE_STATES]; /* [column][state], in ns */
};
struct state_timeline {
	uint64_t begin, end; /* of all columns, in ns since the founder's start */
	uint32_t columns;
	struct timeline_thread *threads; /* those that have any time, by experiment and number */
	uint32_t count;
};
/* Reads the events that the filter keeps, whose times are what the columns divide. A clock event stands for the time that its
   thread ran since the clock event before. state_timeline_free() frees it. */
void state_timeline_read(
	struct state_timeline *timeline, struct data *data, const struct event_filter *filter, uint32_t columns);
void state_timeline_free(struct state_timeline *timeline);

#endif
