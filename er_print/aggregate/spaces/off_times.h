/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The times in which threads were off the CPU. */
#ifndef OFF_TIMES_H
#define OFF_TIMES_H

#include "event_filter.h"

struct off_time {
	uint64_t from, to;
	uint32_t experiment, thread;
	uint32_t stack, state;
	bool placed; /* the stack is that of the call in which it waited */
	bool kept;
};
/* All of them, by experiment, thread and time; those of a thread do not overlap. The filter says which are kept. The caller frees
   the array. */
struct off_time *off_times_read(struct data *data, const struct event_filter *filter, uint32_t *count);

#endif
