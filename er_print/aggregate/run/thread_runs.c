/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads lives, CPU time and intervals off the CPU of all threads, and takes the intervals out of the lives. */
#include "thread_runs.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

/* A thread as it is known while the events are read. */
struct life {
	uint32_t experiment, number;
	bool switches, begun, ended;
	uint64_t begin, end; /* if it has no end: its last event */
	uint64_t cpu;        /* CPU time */
	struct stretch *off;
	uint32_t count, capacity;
};

struct reading {
	const struct data *data;
	struct life *lives;
	uint32_t count, capacity;
	struct number_map index;
	enum kind kind;
};

static struct life *life_of(struct reading *reading, const struct data_batch *batch, uint32_t event)
{
	uint32_t experiment = (uint32_t)(batch->experiment - reading->data->experiments);
	uint32_t *place = number_map_place(&reading->index, number_pair(experiment, batch->thread[event]));
	if (*place == NO_NUMBER) {
		memory_reserve(reading->lives, reading->count, reading->capacity);
		reading->lives[reading->count] =
			(struct life){.experiment = experiment, .number = batch->thread[event]};
		*place = reading->count++;
	}
	return &reading->lives[*place];
}

/* Only a thread with that clock has its context switches recorded (FORMAT.md). */
static void read_thread(struct life *life, const struct data_batch *batch, uint32_t event)
{
	if (batch->field[FIELD_INDEX(THREAD, what)][event] == STATE_VALUE(THREAD, what, end)) {
		life->ended = true;
		life->end = batch->time[event];
		return;
	}
	life->begun = true;
	life->begin = batch->time[event];
	life->switches = batch->field[FIELD_INDEX(THREAD, clock)][event] == STATE_VALUE(THREAD, clock, perf);
}

/* Unexplained time says how much there is, not where: it is left where it seems that the thread ran. */
static void add_off(struct life *life, const struct data_batch *batch, uint32_t event)
{
	uint64_t duration = batch->field[FIELD_INDEX(OFFCPU, duration)][event], time = batch->time[event];
	if (!duration)
		return;
	if (batch->field[FIELD_INDEX(OFFCPU, state)][event] == STATE_VALUE(OFFCPU, state, unexplained))
		return;
	memory_reserve(life->off, life->count, life->capacity);
	life->off[life->count++] = (struct stretch){time > duration ? time - duration : 0, time};
}

static void read_batch(void *context, const struct data_batch *batch)
{
	struct reading *reading = context;
	for (uint32_t i = 0; i < batch->count; i++) {
		struct life *life = life_of(reading, batch, i);
		uint64_t time = batch->time[i];
		if (!life->ended && time > life->end)
			life->end = time;
		switch (reading->kind) {
		case KIND_THREAD:
			read_thread(life, batch, i);
			break;
		case KIND_CLOCK:
			life->cpu +=
				batch->field[FIELD_INDEX(CLOCK, user)][i] + batch->field[FIELD_INDEX(CLOCK, system)][i];
			break;
		default:
			add_off(life, batch, i);
		}
	}
}

static int by_begin(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;
	return COMPARE(x->from, y->from) ?: COMPARE(x->to, y->to);
}

static void add_run(struct thread_runs *thread, uint64_t from, uint64_t to)
{
	if (to <= from)
		return;
	thread->runs = memory_room(thread->runs, thread->count, sizeof *thread->runs);
	thread->runs[thread->count++] = (struct stretch){from, to};
}

/* A part of the life in which it was recorded, less what of it the thread was off. The next one is later. */
static void add_runs(struct thread_runs *thread, const struct life *life, uint32_t *next, struct stretch part)
{
	uint64_t from = part.from;
	for (; *next < life->count && life->off[*next].from < part.to; ++*next) {
		const struct stretch *off = &life->off[*next];
		add_run(thread, from, off->from);
		from = off->to > from ? off->to : from;
		if (off->to > part.to)
			return; /* it goes on in what follows */
	}
	add_run(thread, from, part.to);
}

static uint64_t sum(const struct stretch *stretches, uint32_t count)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < count; i++)
		sum += stretches[i].to - stretches[i].from;
	return sum;
}

/* Whether the time that it seems to have run is CPU time. It is not if switches of this thread were lost or not recorded at all, or
   if the thread was paused by itself. */
static bool is_explained(const struct life *life, const struct thread_runs *thread)
{
	enum { NS_BRIEF = 1000000 };
	uint64_t ran = sum(thread->runs, thread->count);
	return ran < NS_BRIEF || life->cpu >= ran - ran / 10;
}

static struct thread_runs runs_of(const struct data *data, struct life *life)
{
	const struct loaded_experiment *experiment = &data->experiments[life->experiment];
	struct thread_runs thread = {
		.experiment = life->experiment, .number = life->number, .begin = life->begin, .end = life->end};
	uint32_t count, next = 0;
	struct stretch *parts = recorded_stretches(experiment->file, &count);
	if (life->count)
		qsort(life->off, life->count, sizeof *life->off, by_begin);
	for (uint32_t i = 0; i < count; i++) {
		struct stretch part = {
			parts[i].from + experiment->start_offset, parts[i].to + experiment->start_offset};
		part.from = part.from > life->begin ? part.from : life->begin;
		part.to = part.to < life->end ? part.to : life->end;
		if (part.from < part.to)
			add_runs(&thread, life, &next, part);
	}
	free(parts);
	return thread;
}

/* Keeps of the intervals those that say where they are, and takes the runs from the clock events later (read_ticks). */
static void make_inexact(struct thread_runs *thread, struct life *life)
{
	free(thread->runs);
	thread->runs = 0;
	thread->count = 0;
	thread->off = life->off;
	thread->off_count = life->count;
	life->off = 0;
}

static void add_thread(struct all_runs *all, const struct data *data, struct life *life)
{
	if (!life->begun)
		return;
	struct thread_runs thread = runs_of(data, life);
	thread.exact = life->switches && is_explained(life, &thread);
	if (!thread.exact)
		make_inexact(&thread, life);
	*number_map_place(&all->index, number_pair(life->experiment, life->number)) = all->count;
	all->threads[all->count++] = thread;
}

struct ticks {
	struct all_runs *all;
	const struct data *data;
};

static void add_tick(struct thread_runs *thread, uint64_t time, uint64_t used)
{
	uint64_t from = time > used ? time - used : 0, since = thread->begin;
	if (thread->count)
		since = thread->runs[thread->count - 1].to;
	time = time < thread->end ? time : thread->end;
	add_run(thread, from > since ? from : since, time);
}

static void read_ticks(void *context, const struct data_batch *batch)
{
	struct ticks *ticks = context;
	uint32_t experiment = (uint32_t)(batch->experiment - ticks->data->experiments);
	for (uint32_t i = 0; i < batch->count; i++) {
		uint32_t thread = thread_runs_find(ticks->all, experiment, batch->thread[i]);
		if (thread != NO_NUMBER && !ticks->all->threads[thread].exact)
			add_tick(&ticks->all->threads[thread], batch->time[i],
				batch->field[FIELD_INDEX(CLOCK, user)][i] +
					batch->field[FIELD_INDEX(CLOCK, system)][i]);
	}
}

static int by_number(const void *a, const void *b)
{
	const struct life *x = a, *y = b;
	return COMPARE(x->experiment, y->experiment) ?: COMPARE(x->number, y->number);
}

void thread_runs_read(struct all_runs *all, struct data *data)
{
	struct reading reading = {.data = data};
	static const enum kind kinds[] = {KIND_THREAD, KIND_CLOCK, KIND_OFFCPU};
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		reading.kind = kinds[i];
		data_visit(data, reading.kind, read_batch, &reading);
	}
	if (reading.count)
		qsort(reading.lives, reading.count, sizeof *reading.lives, by_number);
	*all = (struct all_runs){.threads = memory_new(reading.count, sizeof *all->threads)};
	for (uint32_t i = 0; i < reading.count; i++) {
		add_thread(all, data, &reading.lives[i]);
		free(reading.lives[i].off);
	}
	free(reading.lives);
	number_map_free(&reading.index);
	bool inexact = false;
	for (uint32_t t = 0; t < all->count; t++)
		inexact |= !all->threads[t].exact;
	if (inexact)
		data_visit_in_time(data, KIND_CLOCK, read_ticks, &(struct ticks){all, data});
}

void thread_runs_free(struct all_runs *all)
{
	for (uint32_t i = 0; i < all->count; i++) {
		free(all->threads[i].runs);
		free(all->threads[i].off);
	}
	free(all->threads);
	number_map_free(&all->index);
}
