/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits, each with the time on the run queue that follows it at once. Events of other threads may lie between the two. */
#include "waits.h"
#include "search.h"
#include "storage.h"
#include "wait_states.h"

#include <stdlib.h>

/* An interval in which a thread waited for a CPU. */
struct queued {
	uint64_t begin, end;
	uint32_t experiment, thread;
};

struct reading {
	struct waits *waits;
	const struct data *data;
	uint32_t capacity;
	struct queued *queued; /* by experiment, thread, end once all are read */
	uint32_t queued_count, queued_capacity;
};

static void add_batch(void *context, const struct data_batch *batch)
{
	struct reading *reading = context;
	struct waits *waits = reading->waits;
	uint32_t experiment = (uint32_t)(batch->experiment - reading->data->experiments);
	for (uint32_t i = 0; i < batch->count; i++) {
		uint32_t number = waits->event_count++;
		uint64_t state = batch->field[FIELD_INDEX(OFFCPU, state)][i];
		uint64_t duration = batch->field[FIELD_INDEX(OFFCPU, duration)][i];
		uint64_t end = batch->time[i], begin = end > duration ? end - duration : 0;
		if (state == STATE_VALUE(OFFCPU, state, runnable)) {
			memory_reserve(reading->queued, reading->queued_count, reading->queued_capacity);
			reading->queued[reading->queued_count++] =
				(struct queued){begin, end, experiment, batch->thread[i]};
		}
		if (!duration || !state_is_wait(state))
			continue;
		memory_reserve(waits->all, waits->count, reading->capacity);
		waits->all[waits->count++] = (struct wait){.object = batch->field[FIELD_INDEX(OFFCPU, object)][i],
			.begin = begin,
			.end = end,
			.again = end,
			.experiment = experiment,
			.thread = batch->thread[i],
			.stack = batch->stack[i],
			.number = number};
	}
}

static int by_thread_and_end(const void *a, const void *b)
{
	const struct wait *x = a, *y = b;
	return COMPARE(x->experiment, y->experiment) ?: COMPARE(x->thread, y->thread) ?: COMPARE(x->end, y->end) ?:
	       COMPARE(x->number, y->number);
}

static int queued_by_thread_and_end(const void *a, const void *b)
{
	const struct queued *x = a, *y = b;
	return COMPARE(x->experiment, y->experiment) ?: COMPARE(x->thread, y->thread) ?: COMPARE(x->end, y->end) ?:
	       COMPARE(x->begin, y->begin);
}

static bool is_over_before(const struct queued *queued, const struct wait *wait)
{
	if (queued->experiment != wait->experiment)
		return queued->experiment < wait->experiment;
	return queued->thread != wait->thread ? queued->thread < wait->thread : queued->end <= wait->end;
}

/* Both lists are in the same order. */
static void add_queues(struct reading *reading)
{
	uint32_t q = 0;
	for (struct wait *wait = reading->waits->all; wait < reading->waits->all + reading->waits->count; wait++) {
		while (q < reading->queued_count && is_over_before(&reading->queued[q], wait))
			q++;
		const struct queued *next = &reading->queued[q];
		if (q < reading->queued_count && next->experiment == wait->experiment && next->thread == wait->thread &&
			next->begin <= wait->end + 1)
			wait->again = next->end;
	}
}

void waits_read(struct waits *waits, struct data *data)
{
	struct reading reading = {.waits = waits, .data = data};
	*waits = (struct waits){0};
	data_visit_in_time(data, KIND_OFFCPU, add_batch, &reading);
	if (waits->count)
		qsort(waits->all, waits->count, sizeof *waits->all, by_thread_and_end);
	if (reading.queued_count)
		qsort(reading.queued, reading.queued_count, sizeof *reading.queued, queued_by_thread_and_end);
	add_queues(&reading);
	free(reading.queued);
}

void waits_free(struct waits *waits)
{
	free(waits->all);
}
