/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One replay in which the key of an allocation is the number of its event; then the events are sorted by thread. */
#include "heap_events.h"
#include "heap_replay.h"
#include "number_map.h"
#include "storage.h"

#include <stdlib.h>

/* The events of one thread: neighbours, in the order of time. */
struct lane {
	uint32_t first, count;
};
struct heap_events {
	struct heap_event *all;
	uint32_t count, capacity;
	struct number_map lane_of; /* by experiment and thread */
	struct lane *lanes;
	uint32_t lane_count;
};

struct reading {
	struct heap_events *events;
	const struct data *data;
	uint32_t *lane, lane_capacity;     /* [event] */
	uint32_t *numbers, batch_capacity; /* of the events of the present batch */
	uint32_t present;                  /* the event that is played */
	uint32_t begun;                    /* the first event of the process */
	uint64_t in_use;
};

static uint32_t lane_of(struct heap_events *events, uint32_t experiment, uint32_t thread)
{
	uint32_t *lane = number_map_place(&events->lane_of, number_pair(experiment, thread));
	if (*lane == NO_NUMBER) {
		events->lanes = memory_room(events->lanes, events->lane_count, sizeof *events->lanes);
		events->lanes[events->lane_count] = (struct lane){0};
		*lane = events->lane_count++;
	}
	return *lane;
}

/* Numbers the events of a batch, which are played next. */
static const uint32_t *number_events(void *context, enum kind kind, const struct data_batch *batch)
{
	struct reading *reading = context;
	struct heap_events *events = reading->events;
	uint32_t experiment = (uint32_t)(batch->experiment - reading->data->experiments);
	(void)kind;
	if (batch->count > reading->batch_capacity) {
		reading->batch_capacity = batch->count;
		reading->numbers = memory_resize(reading->numbers, batch->count, sizeof *reading->numbers);
	}
	for (uint32_t i = 0; i < batch->count; i++) {
		memory_reserve(events->all, events->count, events->capacity);
		memory_reserve(reading->lane, events->count, reading->lane_capacity);
		events->all[events->count] = (struct heap_event){.time = batch->time[i]};
		reading->lane[events->count] = lane_of(events, experiment, batch->thread[i]);
		events->lanes[reading->lane[events->count]].count++;
		reading->numbers[i] = events->count++;
	}
	return reading->numbers;
}

static void begin_process(void *context, const struct loaded_experiment *experiment)
{
	struct reading *reading = context;
	(void)experiment;
	reading->begun = reading->present;
	reading->in_use = 0;
}

static void add_piece(void *context, uint64_t time, const struct heap_piece *piece)
{
	struct reading *reading = context;
	(void)time;
	reading->in_use += piece->size;
	reading->events->all[reading->present].net += (int64_t)piece->size;
}

static void take_piece(void *context, uint64_t time, const struct heap_piece *piece)
{
	struct reading *reading = context;
	struct heap_event *event = &reading->events->all[reading->present];
	(void)time;
	reading->in_use -= piece->size;
	event->net -= (int64_t)piece->size;
	event->released += piece->size;
}

static void end_event(void *context)
{
	struct reading *reading = context;
	reading->events->all[reading->present++].in_use = reading->in_use;
}

static void add_left(void *context, const struct heap_piece *piece)
{
	struct reading *reading = context;
	reading->events->all[piece->stack].left += piece->size;
}

static void end_process(void *context, const struct loaded_experiment *experiment, const struct heap_oddities *oddities)
{
	struct reading *reading = context;
	struct heap_event *all = reading->events->all;
	uint64_t leaked = 0;
	(void)experiment, (void)oddities;
	for (uint32_t i = reading->begun; i < reading->present; i++)
		all[i].leaked = leaked += all[i].left;
}

/* Gathers the events of each thread, which keep their order. */
static void sort_by_lane(struct heap_events *events, const uint32_t *lane)
{
	struct heap_event *sorted = memory_new(events->count, sizeof *sorted);
	uint32_t first = 0;
	for (uint32_t l = 0; l < events->lane_count; l++) {
		events->lanes[l].first = first;
		first += events->lanes[l].count;
		events->lanes[l].count = 0;
	}
	for (uint32_t i = 0; i < events->count; i++) {
		struct lane *own = &events->lanes[lane[i]];
		sorted[own->first + own->count++] = events->all[i];
	}
	free(events->all);
	events->all = sorted;
}

struct heap_events *heap_events_read(struct data *data)
{
	struct heap_events *events = memory_new(1, sizeof *events);
	struct reading reading = {.events = events, .data = data};
	const struct metric_keys keys = {&reading, number_events};
	heap_replay(data, 0,
		&(struct heap_listener){.context = &reading,
			.begin = begin_process,
			.allocated = add_piece,
			.released = take_piece,
			.event = end_event,
			.left = add_left,
			.end = end_process,
			.keys = &keys});
	sort_by_lane(events, reading.lane);
	free(reading.lane);
	free(reading.numbers);
	return events;
}

void heap_events_free(struct heap_events *events)
{
	if (!events)
		return;
	number_map_free(&events->lane_of);
	free(events->lanes);
	free(events->all);
	free(events);
}

const struct heap_event *heap_events_find(const struct heap_events *events, uint32_t experiment, uint32_t thread,
	uint64_t time, const struct heap_event *last)
{
	uint32_t number = number_map_find(&events->lane_of, number_pair(experiment, thread));
	if (number == NO_NUMBER)
		return 0;
	const struct heap_event *first = events->all + events->lanes[number].first;
	const struct heap_event *end = first + events->lanes[number].count, *low = first, *high = end;
	if (last && last >= first && last + 1 < end && last[1].time == time)
		return last + 1;
	while (low < high) {
		const struct heap_event *middle = low + (high - low) / 2;
		if (middle->time < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low < end && low->time == time ? low : 0;
}
