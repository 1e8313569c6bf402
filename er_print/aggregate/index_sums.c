/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums by value: metrics add by stack, so each value gets a number that stands in the stack's place. */
#include "index_sums.h"
#include "stack_sums.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

struct pass {
	struct index_sums *index;
	const struct data *data;
	const struct event_filter *filter;
	struct expression *expression;
	enum kind kind;
	struct number_map places; /* value -> place */
	uint32_t capacity;
	uint32_t *place, place_capacity; /* of the events of a batch */
	bool all_known; /* every event that counts has its place; another one gets the place after all */
};

/* Room for one more value than there are. */
static void make_room(struct pass *pass)
{
	struct index_sums *index = pass->index;
	if (index->count < pass->capacity)
		return;
	uint32_t before = pass->capacity;
	pass->capacity = before ? before * 2 : 64;
	index->values = memory_resize(index->values, pass->capacity, sizeof *index->values);
	for (unsigned m = 0; m < index->sums.metrics->count; m++) {
		uint64_t **sums = &index->sums.exclusive[m];
		*sums = memory_resize(*sums, pass->capacity, sizeof **sums);
		memset(*sums + before, 0, (pass->capacity - before) * sizeof **sums);
	}
}

static uint32_t place_of(struct pass *pass, int64_t value)
{
	struct index_sums *index = pass->index;
	uint32_t *place = number_map_place(&pass->places, (uint64_t)value);
	if (*place != NO_NUMBER)
		return *place;
	if (pass->all_known)
		return index->count;
	make_room(pass);
	index->values[index->count] = value;
	return *place = index->count++;
}

static void number_events(struct pass *pass, const struct data_batch *batch)
{
	if (batch->count > pass->place_capacity) {
		pass->place_capacity = batch->count;
		pass->place = memory_resize(pass->place, batch->count, sizeof *pass->place);
	}
	int64_t last = 0;
	uint32_t place = UINT32_MAX;
	for (uint32_t first = 0; first < batch->count; first += EXPRESSION_CHUNK) {
		uint32_t left = batch->count - first, count = left < EXPRESSION_CHUNK ? left : EXPRESSION_CHUNK;
		const int64_t *value = expression_evaluate(pass->expression, (int)pass->kind, batch, first, count);
		for (uint32_t i = 0; i < count; i++) {
			/* Neighbours mostly have the same value (a thread, a process, a sample), so most events need no look-up.
			   */
			if (place == UINT32_MAX || value[i] != last)
				place = place_of(pass, value[i]);
			last = value[i];
			pass->place[first + i] = place;
		}
	}
}

static void add_batch(void *context, const struct data_batch *batch)
{
	struct pass *pass = context;
	const struct metric_table *metrics = pass->index->sums.metrics;
	struct data_batch by_place = *batch;
	number_events(pass, batch);
	by_place.stack = pass->place;
	uint32_t group = event_filter_group(pass->filter, pass->data, batch);
	for (unsigned m = 0; m < metrics->count; m++)
		if (metrics->rows[m].add && metrics->rows[m].kind == pass->kind &&
			(!metrics->rows[m].group || metrics->rows[m].group == group))
			metrics->rows[m].add(pass->index->sums.exclusive[m], &by_place, &metrics->rows[m]);
}

static const uint32_t *keys_of(void *context, enum kind kind, const struct data_batch *batch)
{
	struct pass *pass = context;
	pass->kind = kind;
	number_events(pass, batch);
	return pass->place;
}

/* Computes all rows that have the pass of row `first`. */
static void sum_pass(struct data *data, const struct event_filter *filter, struct pass *pass, unsigned first)
{
	const struct metric_table *metrics = pass->index->sums.metrics;
	const struct metric_keys keys = {pass, keys_of};
	uint64_t **of = memory_new(metrics->count, sizeof *of), events = 0;
	unsigned count = 0;
	struct event_filter of_group = event_filter_of_group(filter, metrics->rows[first].group);
	for (unsigned m = first; m < metrics->count; m++)
		if (metric_same_pass(&metrics->rows[m], &metrics->rows[first]))
			of[count++] = pass->index->sums.exclusive[m];
	metrics->rows[first].pass(data, &of_group, &keys, of, &events);
	for (unsigned i = 0; i < count; i++)
		of[i][pass->index->count] = 0;
	free(of);
}

static bool is_first_of_pass(const struct metric_table *metrics, unsigned metric)
{
	if (!metrics->rows[metric].pass)
		return false;
	for (unsigned m = 0; m < metric; m++)
		if (metric_same_pass(&metrics->rows[m], &metrics->rows[metric]))
			return false;
	return true;
}

static bool pass_is_wanted(const struct metric_table *metrics, const bool *wanted, unsigned first)
{
	for (unsigned m = first; wanted && m < metrics->count; m++)
		if (metric_same_pass(&metrics->rows[m], &metrics->rows[first]) && wanted[m])
			return true;
	return !wanted;
}

/* The events have their places by now. */
static void sum_passes(struct data *data, const struct event_filter *filter, struct pass *pass, const bool *wanted)
{
	const struct metric_table *metrics = pass->index->sums.metrics;
	bool *recorded = metrics_recorded(data, metrics);
	make_room(pass);
	pass->all_known = true;
	for (unsigned m = 0; m < metrics->count; m++)
		if (recorded[m] && is_first_of_pass(metrics, m) && pass_is_wanted(metrics, wanted, m))
			sum_pass(data, filter, pass, m);
	free(recorded);
}

static bool kind_is_summed(const struct metric_table *metrics, enum kind kind)
{
	for (unsigned m = 0; m < metrics->count; m++)
		if (metrics->rows[m].add && metrics->rows[m].kind == kind)
			return true;
	return false;
}

struct index_sums *index_sums_compute(struct data *data, const struct metric_table *metrics,
	const struct event_filter *filter, const bool *wanted, struct expression *expression)
{
	struct index_sums *index = memory_new(1, sizeof *index);
	index->sums.metrics = metrics;
	index->sums.exclusive = index->sums.inclusive = memory_new(metrics->count, sizeof *index->sums.exclusive);
	struct pass pass = {.index = index, .data = data, .filter = filter, .expression = expression};
	for (int kind = 0; kind < KIND_COUNT; kind++) {
		pass.kind = (enum kind)kind;
		if (kind_is_summed(metrics, pass.kind))
			event_filter_visit_groups(data, pass.kind, filter, add_batch, &pass);
	}
	sum_passes(data, filter, &pass, wanted);
	index->sums.key_count = index->count;
	index->sums.seen = memory_new(index->count, sizeof *index->sums.seen);
	memset(index->sums.seen, true, index->count * sizeof *index->sums.seen);
	number_map_free(&pass.places);
	free(pass.place);
	return index;
}

void index_sums_free(struct index_sums *index)
{
	if (!index)
		return;
	for (unsigned m = 0; m < index->sums.metrics->count; m++)
		free(index->sums.exclusive[m]);
	free(index->sums.exclusive);
	free(index->sums.seen);
	free(index->values);
	free(index);
}
