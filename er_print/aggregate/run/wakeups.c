/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wakeups by object and time; each wait looks up its own. */
#include "wakeups.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

/* A wakeup may seem to come a little after the wait that it ended and the time on the run queue that follows: where the one
   ends and the other begins is an estimate. It may seem to come a little before the wait's begin, as its own time is that before
   the call. Nanoseconds. */
enum { LATE_MOST = 20000, EARLY_MOST = 100000 };

struct reading {
	struct wakeups *wakeups;
	uint32_t capacity;
	const struct data *data;
};

static uint32_t experiment_of(const struct reading *reading, const struct data_batch *batch)
{
	return (uint32_t)(batch->experiment - reading->data->experiments);
}

static uint32_t space_of(uint64_t object, uint32_t experiment)
{
	return object & OBJECT_SHARED ? WAKEUPS_SHARED : experiment;
}

static void add_batch(void *context, const struct data_batch *batch)
{
	struct reading *reading = context;
	struct wakeups *wakeups = reading->wakeups;
	for (uint32_t i = 0; i < batch->count; i++) {
		if (batch->field[FIELD_INDEX(OFFCPU, state)][i] != STATE_VALUE(OFFCPU, state, waking))
			continue;
		memory_reserve(wakeups->all, wakeups->count, reading->capacity);
		uint64_t object = batch->field[FIELD_INDEX(OFFCPU, object)][i];
		wakeups->all[wakeups->count] = (struct wakeup){.object = object,
			.time = batch->time[i],
			.space = space_of(object, experiment_of(reading, batch)),
			.experiment = experiment_of(reading, batch),
			.thread = batch->thread[i],
			.number = wakeups->count};
		wakeups->count++;
	}
}

static int by_object_and_time(const void *a, const void *b)
{
	const struct wakeup *x = a, *y = b;
	return COMPARE(x->space, y->space) ?: COMPARE(x->object, y->object) ?: COMPARE(x->time, y->time) ?:
	       COMPARE(x->number, y->number);
}

static bool is_after(const struct wakeup *wakeup, uint32_t space, uint64_t object, uint64_t time)
{
	if (wakeup->space != space)
		return wakeup->space > space;
	return wakeup->object != object ? wakeup->object > object : wakeup->time > time;
}

/* `until`: when the thread ran again. */
static void add_wait(struct wakeups *wakeups, const struct wakeup *wait, uint64_t duration, uint64_t until)
{
	uint64_t after = FIRST_WHERE(
		w, wakeups->count, is_after(&wakeups->all[w], wait->space, wait->object, until + LATE_MOST));
	uint64_t begin = wait->time > duration ? wait->time - duration : 0;
	for (; after > 0; after--) {
		struct wakeup *wakeup = &wakeups->all[after - 1];
		if (wakeup->space != wait->space || wakeup->object != wait->object || wakeup->time + EARLY_MOST < begin)
			return;
		if (wakeup->thread == wait->thread && wakeup->experiment == wait->experiment)
			continue;
		wakeup->waited += duration;
		return;
	}
}

/* The end of an interval, and of that on the run queue which follows it at once. */
static uint64_t end_with_queue(const struct data_batch *batch, uint32_t i)
{
	bool follows = i + 1 < batch->count && batch->thread[i + 1] == batch->thread[i] &&
		       batch->field[FIELD_INDEX(OFFCPU, state)][i + 1] == STATE_VALUE(OFFCPU, state, runnable) &&
		       batch->time[i + 1] - batch->field[FIELD_INDEX(OFFCPU, duration)][i + 1] <= batch->time[i] + 1;
	return batch->time[i + follows];
}

static void add_waits(void *context, const struct data_batch *batch)
{
	struct reading *reading = context;
	const uint64_t *object = batch->field[FIELD_INDEX(OFFCPU, object)];
	const uint64_t *duration = batch->field[FIELD_INDEX(OFFCPU, duration)];
	for (uint32_t i = 0; i < batch->count; i++)
		if (object[i] && duration[i])
			add_wait(reading->wakeups,
				&(struct wakeup){.object = object[i],
					.time = batch->time[i],
					.space = space_of(object[i], experiment_of(reading, batch)),
					.experiment = experiment_of(reading, batch),
					.thread = batch->thread[i]},
				duration[i], end_with_queue(batch, i));
}

void wakeups_read(struct wakeups *wakeups, struct data *data)
{
	*wakeups = (struct wakeups){0};
	struct reading reading = {.wakeups = wakeups, .data = data};
	data_visit_in_time(data, KIND_OFFCPU, add_batch, &reading);
	if (wakeups->count)
		qsort(wakeups->all, wakeups->count, sizeof *wakeups->all, by_object_and_time);
	wakeups->order = memory_new(wakeups->count, sizeof *wakeups->order);
	for (uint32_t w = 0; w < wakeups->count; w++)
		wakeups->order[wakeups->all[w].number] = w;
	data_visit(data, KIND_OFFCPU, add_waits, &reading);
}

void wakeups_free(struct wakeups *wakeups)
{
	free(wakeups->all);
	free(wakeups->order);
}
