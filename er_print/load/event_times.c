/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The beginning or the end from the recorded time and what the kind's fields say of the time between. */
#include "event_times.h"

/* How much later than its time an event ended; how much earlier it began. */
static int64_t distance(int kind, const struct data_batch *batch, uint32_t event, bool ends)
{
	switch (kind) {
	case KIND_MPI:
		return ends ? (int64_t)(batch->field[FIELD_INDEX(MPI, duration)][event] +
					batch->field[FIELD_INDEX(MPI, between)][event])
			    : 0;
	case KIND_SYNC:
		return ends ? 0 : (int64_t)batch->field[FIELD_INDEX(SYNC, duration)][event];
	case KIND_IO:
		return ends ? 0 : (int64_t)batch->field[FIELD_INDEX(IO, duration)][event];
	case KIND_OFFCPU:
		return ends ? 0 : (int64_t)batch->field[FIELD_INDEX(OFFCPU, duration)][event];
	default:
		return 0;
	}
}

uint64_t event_middle(int kind, const struct data_batch *batch, uint32_t event)
{
	int64_t time = (int64_t)batch->time[event];
	return (uint64_t)(time + (distance(kind, batch, event, true) - distance(kind, batch, event, false)) / 2);
}

void event_times(int kind, const struct data_batch *batch, uint32_t first, uint32_t count, bool ends, int64_t *times)
{
	for (uint32_t i = 0; i < count; i++) {
		int64_t time = (int64_t)batch->time[first + i], further = distance(kind, batch, first + i, ends);
		times[i] = ends ? time + further : time - further;
	}
}
