/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wakeups by object and time; each wait looks up its own. */
#include "wakeups.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

/* A wakeup may seem to come a little after the wait that it ended, as the wait's end is an estimate, or a little before its begin,
   as its own time is that before the call. Nanoseconds. */
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

static void add_batch(void *context, const struct data_batch *batch)
{
	struct reading *reading = context;
	struct wakeups *wakeups = reading->wakeups;
	for (uint32_t i = 0; i < batch->count; i++) {
		if (batch->field[FIELD_INDEX(OFFCPU, state)][i] != STATE_VALUE(OFFCPU, state, waking))
			continue;
		memory_reserve(wakeups->all, wakeups->count, reading->capacity);
		wakeups->all[wakeups->count] = (struct wakeup){.object = batch->field[FIELD_INDEX(OFFCPU, object)][i],
			.time = batch->time[i],
			.experiment = experiment_of(reading, batch),
			.thread = batch->thread[i],
			.number = wakeups->count};
		wakeups->count++;
	}
}

static int by_object_and_time(const void *a, const void *b)
{
	const struct wakeup *x = a, *y = b;
	return COMPARE(x->experiment, y->experiment) ?: COMPARE(x->object, y->object) ?: COMPARE(x->time, y->time) ?:
	       COMPARE(x->number, y->number);
}

static bool is_after(const struct wakeup *wakeup, uint32_t experiment, uint64_t object, uint64_t time)
{
	if (wakeup->experiment != experiment)
		return wakeup->experiment > experiment;
	return wakeup->object != object ? wakeup->object > object : wakeup->time > time;
}

static void add_wait(struct wakeups *wakeups, const struct wakeup *wait, uint64_t duration)
{
	uint64_t after = FIRST_WHERE(
		w, wakeups->count, is_after(&wakeups->all[w], wait->experiment, wait->object, wait->time + LATE_MOST));
	uint64_t begin = wait->time > duration ? wait->time - duration : 0;
	for (; after > 0; after--) {
		struct wakeup *wakeup = &wakeups->all[after - 1];
		if (wakeup->experiment != wait->experiment || wakeup->object != wait->object ||
			wakeup->time + EARLY_MOST < begin)
			return;
		if (wakeup->thread == wait->thread)
			continue;
		wakeup->waited += duration;
		return;
	}
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
					.experiment = experiment_of(reading, batch),
					.thread = batch->thread[i]},
				duration[i]);
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
