/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads times off the CPU and tells apart those that overlap. */
#include "off_times.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

struct reading {
	const struct data *data;
	struct off_time *all;
	uint32_t count;
};

static void add_off_times(void *context, const struct data_batch *batch, const bool *kept)
{
	struct reading *reading = context;
	const uint64_t *states = batch->field[FIELD_INDEX(OFFCPU, state)];
	for (uint32_t i = 0; i < batch->count; i++) {
		uint64_t to = batch->time[i], duration = batch->field[FIELD_INDEX(OFFCPU, duration)][i];
		if (!duration || states[i] == STATE_VALUE(OFFCPU, state, waking))
			continue;
		reading->all = memory_room(reading->all, reading->count, sizeof *reading->all);
		reading->all[reading->count++] = (struct off_time){.from = to > duration ? to - duration : 0,
			.to = to,
			.experiment = (uint32_t)(batch->experiment - reading->data->experiments),
			.thread = batch->thread[i],
			.stack = batch->stack[i],
			.state = (uint32_t)states[i],
			.placed = batch->field[FIELD_INDEX(OFFCPU, place)][i] == STATE_VALUE(OFFCPU, place, call) &&
				  batch->stack[i],
			.kept = !kept || kept[i]};
	}
}

static int by_thread(const void *a, const void *b)
{
	const struct off_time *x = a, *y = b;
	return COMPARE(x->experiment, y->experiment)
		       ?: COMPARE(x->thread, y->thread) ?: COMPARE(x->from, y->from) ?: COMPARE(x->to, y->to);
}

/* Two times off the CPU may overlap by as much as clocks and records differ: what is explained is kept, and then the earlier. */
static void part_off_times(struct off_time *offs, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		struct off_time *before = &offs[i - 1], *own = &offs[i];
		if (before->experiment != own->experiment || before->thread != own->thread)
			continue;
		if (before->state == STATE_VALUE(OFFCPU, state, unexplained))
			before->to = before->to < own->from ? before->to : own->from;
		own->from = own->from > before->to ? own->from : before->to;
		own->to = own->to > own->from ? own->to : own->from;
	}
}

struct off_time *off_times_read(struct data *data, const struct event_filter *filter, uint32_t *count)
{
	struct reading reading = {.data = data};
	event_filter_mark_in_time(data, KIND_OFFCPU, filter, add_off_times, &reading);
	if (reading.count)
		qsort(reading.all, reading.count, sizeof *reading.all, by_thread);
	part_off_times(reading.all, reading.count);
	*count = reading.count;
	return reading.all;
}
