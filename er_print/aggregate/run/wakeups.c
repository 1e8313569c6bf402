/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wakeups by object and time; each wait looks up its own. */
#include "wakeups.h"
#include "search.h"
#include "storage.h"
#include "waits.h"

#include <stdlib.h>

/* A wakeup may seem to come a little after the wait that it ended and the time on the run queue that follows: where the one
   ends and the other begins is an estimate. It may seem to come a little before the wait's begin, as its own time is that before
   the call. Nanoseconds. */
enum { LATE_MOST = 20000, EARLY_MOST = 100000 };
/* The kernel's own record of it has the moment itself. */
enum { SEEN_LATE_MOST = 5000, SEEN_EARLY_MOST = 0 };

struct reading {
	struct wakeups *wakeups;
	uint32_t capacity;
	const struct data *data;
};

static uint32_t space_of(const struct data *data, uint64_t object, uint32_t experiment)
{
	return object & OBJECT_SHARED ? data->experiments[experiment].founder : experiment;
}

static void add_batch(void *context, const struct data_batch *batch)
{
	struct reading *reading = context;
	struct wakeups *wakeups = reading->wakeups;
	uint32_t experiment = (uint32_t)(batch->experiment - reading->data->experiments);
	for (uint32_t i = 0; i < batch->count; i++) {
		if (batch->field[FIELD_INDEX(OFFCPU, state)][i] != STATE_VALUE(OFFCPU, state, waking))
			continue;
		memory_reserve(wakeups->all, wakeups->count, reading->capacity);
		uint64_t object = batch->field[FIELD_INDEX(OFFCPU, object)][i];
		wakeups->all[wakeups->count] = (struct wakeup){.object = object,
			.time = batch->time[i],
			.space = space_of(reading->data, object, experiment),
			.experiment = experiment,
			.thread = batch->thread[i],
			.stack = batch->stack[i],
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

void wakeups_read(struct wakeups *wakeups, struct data *data)
{
	*wakeups = (struct wakeups){.data = data};
	data_visit_in_time(data, KIND_OFFCPU, add_batch, &(struct reading){.wakeups = wakeups, .data = data});
	kernel_threads_read(&wakeups->threads, data);
	if (wakeups->count)
		qsort(wakeups->all, wakeups->count, sizeof *wakeups->all, by_object_and_time);
	wakeups->order = memory_new(wakeups->count, sizeof *wakeups->order);
	for (uint32_t w = 0; w < wakeups->count; w++)
		wakeups->order[wakeups->all[w].number] = w;
}

void wakeups_free(struct wakeups *wakeups)
{
	free(wakeups->all);
	free(wakeups->order);
	kernel_threads_free(&wakeups->threads);
}

static bool is_after(const struct wakeup *wakeup, uint32_t space, uint64_t object, uint64_t time)
{
	if (wakeup->space != space)
		return wakeup->space > space;
	return wakeup->object != object ? wakeup->object > object : wakeup->time > time;
}

/* The last wakeup for the object that may have ended the wait. */
static const struct wakeup *last_for(const struct wakeups *wakeups, const struct wait *wait, uint64_t object,
	uint64_t early_most, uint64_t late_most)
{
	uint32_t space = space_of(wakeups->data, object, wait->experiment);
	uint64_t after =
		FIRST_WHERE(w, wakeups->count, is_after(&wakeups->all[w], space, object, wait->again + late_most));
	for (; after > 0; after--) {
		const struct wakeup *wakeup = &wakeups->all[after - 1];
		if (wakeup->space != space || wakeup->object != object || wakeup->time + early_most < wait->begin)
			return 0;
		if (wakeup->thread != wait->thread || wakeup->experiment != wait->experiment)
			return wakeup;
	}
	return 0;
}

const struct wakeup *wakeup_of_wait(const struct wakeups *wakeups, const struct wait *wait)
{
	const struct wakeup *found = wait->object ? last_for(wakeups, wait, wait->object, EARLY_MOST, LATE_MOST) : 0;
	uint32_t number = wakeups->data->experiments[wait->experiment].number;
	uint32_t tid = kernel_thread(&wakeups->threads, number, wait->thread);
	if (found || !tid)
		return found;
	return last_for(wakeups, wait, OBJECT_THREAD | tid, SEEN_EARLY_MOST, SEEN_LATE_MOST);
}
