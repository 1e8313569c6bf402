/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the pieces of time that threads spent in a state, and divides them among columns. */
#include "state_timeline.h"
#include "storage.h"
#include "thread_runs.h"

#include <stdlib.h>

/* A time of a thread in one state. */
struct piece {
	uint64_t from, to;
	uint32_t thread, state;
};

/* A thread, as its clock events are visited in the order of time. */
struct clocked {
	uint64_t since; /* the event before */
	uint32_t next;  /* the first of its runs that is not over then */
};

struct reading {
	const struct data *data;
	struct all_runs runs;
	struct clocked *clocked; /* [thread] */
	struct piece *pieces;
	size_t count, capacity;
};

static uint32_t thread_of(const struct reading *reading, const struct data_batch *batch, uint32_t event)
{
	uint32_t experiment = (uint32_t)(batch->experiment - reading->data->experiments);
	return thread_runs_find(&reading->runs, experiment, batch->thread[event]);
}

static void add_piece(struct reading *reading, uint32_t thread, uint32_t state, uint64_t from, uint64_t to)
{
	if (thread == NO_NUMBER || to <= from)
		return;
	memory_reserve(reading->pieces, reading->count, reading->capacity);
	reading->pieces[reading->count++] = (struct piece){from, to, thread, state};
}

static void read_intervals(void *context, const struct data_batch *batch)
{
	struct reading *reading = context;
	for (uint32_t i = 0; i < batch->count; i++) {
		uint64_t duration = batch->field[FIELD_INDEX(OFFCPU, duration)][i], to = batch->time[i];
		uint64_t state = batch->field[FIELD_INDEX(OFFCPU, state)][i];
		if (state != STATE_VALUE(OFFCPU, state, unexplained) && state < TIMELINE_STATES)
			add_piece(reading, thread_of(reading, batch, i), (uint32_t)state,
				to > duration ? to - duration : 0, to);
	}
}

/* The thread ran since the clock event before: that is the time on a CPU of the one that is kept. */
static void read_runs(struct reading *reading, uint32_t thread, uint64_t until, bool kept)
{
	const struct thread_runs *runs = &reading->runs.threads[thread];
	struct clocked *clocked = &reading->clocked[thread];
	for (; clocked->next < runs->count && runs->runs[clocked->next].from < until; clocked->next++) {
		const struct stretch *run = &runs->runs[clocked->next];
		uint64_t from = run->from > clocked->since ? run->from : clocked->since;
		if (kept)
			add_piece(reading, thread, TIMELINE_ON_CPU, from, run->to < until ? run->to : until);
		if (run->to > until)
			break;
	}
	clocked->since = until > clocked->since ? until : clocked->since;
}

static void read_clock(void *context, const struct data_batch *batch, const bool *kept)
{
	struct reading *reading = context;
	for (uint32_t i = 0; i < batch->count; i++) {
		uint32_t thread = thread_of(reading, batch, i);
		if (thread != NO_NUMBER)
			read_runs(reading, thread, batch->time[i], !kept || kept[i]);
	}
}

static void set_range(struct state_timeline *timeline, const struct reading *reading)
{
	timeline->begin = UINT64_MAX;
	for (size_t i = 0; i < reading->count; i++) {
		const struct piece *piece = &reading->pieces[i];
		timeline->begin = piece->from < timeline->begin ? piece->from : timeline->begin;
		timeline->end = piece->to > timeline->end ? piece->to : timeline->end;
	}
	if (!reading->count)
		timeline->begin = 0;
}

static void divide(const struct state_timeline *timeline, struct timeline_thread *thread, const struct piece *piece)
{
	double width = (double)(timeline->end - timeline->begin) / timeline->columns;
	double from = (double)(piece->from - timeline->begin), to = (double)(piece->to - timeline->begin);
	for (uint32_t column = (uint32_t)(from / width); column < timeline->columns && column * width < to; column++) {
		double begin = column * width, end = begin + width;
		double part = (end < to ? end : to) - (begin > from ? begin : from);
		if (part > 0)
			thread->time[column][piece->state] += (float)part;
	}
}

/* Threads without pieces are left out. */
static void fill(struct state_timeline *timeline, const struct reading *reading)
{
	struct timeline_thread *all = memory_new(reading->runs.count, sizeof *all);
	for (size_t i = 0; i < reading->count; i++) {
		struct timeline_thread *thread = &all[reading->pieces[i].thread];
		if (!thread->time)
			thread->time = memory_new(timeline->columns, sizeof *thread->time);
		divide(timeline, thread, &reading->pieces[i]);
	}
	timeline->threads = all;
	for (uint32_t t = 0; t < reading->runs.count; t++)
		if (all[t].time)
			all[timeline->count++] = (struct timeline_thread){
				reading->runs.threads[t].experiment, reading->runs.threads[t].number, all[t].time};
}

void state_timeline_read(
	struct state_timeline *timeline, struct data *data, const struct event_filter *filter, uint32_t columns)
{
	struct reading reading = {.data = data};
	*timeline = (struct state_timeline){.columns = columns};
	thread_runs_read(&reading.runs, data);
	reading.clocked = memory_new(reading.runs.count, sizeof *reading.clocked);
	event_filter_mark_in_time(data, KIND_CLOCK, filter, read_clock, &reading);
	event_filter_visit(data, KIND_OFFCPU, filter, read_intervals, &reading);
	set_range(timeline, &reading);
	fill(timeline, &reading);
	free(reading.pieces);
	free(reading.clocked);
	thread_runs_free(&reading.runs);
}

void state_timeline_free(struct state_timeline *timeline)
{
	for (uint32_t t = 0; t < timeline->count; t++)
		free(timeline->threads[t].time);
	free(timeline->threads);
}
