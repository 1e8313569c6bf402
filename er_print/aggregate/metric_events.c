/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics add by stack: each event gets a number of its own that stands in the stack's place. */
#include "metric_events.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

struct pass {
	const struct data *data;
	const struct metric *row;
	struct metric_events events;
	size_t capacity;
	uint64_t *values;        /* of the events of a batch */
	uint32_t *numbers, room; /* theirs */
	bool zeros;              /* events of the value 0 are kept */
	bool counting;           /* metrics with a pass of their own: how many events it asks for */
	uint32_t asked;
};

static void make_room(struct pass *pass, uint32_t count)
{
	if (count <= pass->room)
		return;
	pass->room = count;
	pass->values = memory_resize(pass->values, count, sizeof *pass->values);
	pass->numbers = memory_resize(pass->numbers, count, sizeof *pass->numbers);
}

static void add_event(struct pass *pass, enum kind kind, const struct data_batch *batch, uint32_t i, uint64_t value)
{
	memory_reserve(pass->events.all, pass->events.count, pass->capacity);
	pass->events.all[pass->events.count] = (struct metric_event){.time = batch->time[i],
		.value = value,
		.order = (uint32_t)pass->events.count,
		.experiment = (uint32_t)(batch->experiment - pass->data->experiments),
		.thread = batch->thread[i],
		.stack = batch->stack[i],
		.kind = kind};
	pass->events.count++;
}

static void add_batch(void *context, const struct data_batch *batch)
{
	struct pass *pass = context;
	struct data_batch by_number = *batch;
	make_room(pass, batch->count);
	memset(pass->values, 0, batch->count * sizeof *pass->values);
	for (uint32_t i = 0; i < batch->count; i++)
		pass->numbers[i] = i;
	by_number.stack = pass->numbers;
	pass->row->add(pass->values, &by_number, pass->row);
	for (uint32_t i = 0; i < batch->count; i++)
		if (pass->values[i] || pass->zeros)
			add_event(pass, pass->row->kind, batch, i, pass->values[i]);
}

static const uint32_t *numbers_of(void *context, enum kind kind, const struct data_batch *batch)
{
	struct pass *pass = context;
	make_room(pass, batch->count);
	for (uint32_t i = 0; i < batch->count; i++, pass->asked++) {
		pass->numbers[i] = pass->counting ? 0 : pass->asked;
		if (!pass->counting)
			add_event(pass, kind, batch, i, 0);
	}
	return pass->numbers;
}

/* Runs the pass that computes the metric, among others. Returns its sums by number; the caller frees them. */
static uint64_t *run_pass(struct data *data, const struct metric_table *metrics, const struct event_filter *filter,
	struct pass *pass, uint32_t numbers)
{
	const struct metric_keys keys = {pass, numbers_of};
	uint64_t **of = memory_new(metrics->count, sizeof *of), *own = 0, events = 0;
	unsigned count = 0;
	struct event_filter of_group = event_filter_of_group(filter, pass->row->group);
	for (unsigned m = 0; m < metrics->count; m++)
		if (metric_same_pass(&metrics->rows[m], pass->row)) {
			of[count] = memory_new(numbers, sizeof **of);
			own = &metrics->rows[m] == pass->row ? of[count] : own;
			count++;
		}
	pass->asked = 0;
	pass->row->pass(data, &of_group, &keys, of, &events);
	for (unsigned i = 0; i < count; i++)
		if (of[i] != own)
			free(of[i]);
	free(of);
	return own;
}

static void read_pass(
	struct data *data, const struct metric_table *metrics, const struct event_filter *filter, struct pass *pass)
{
	pass->counting = true;
	free(run_pass(data, metrics, filter, pass, 1));
	pass->counting = false;
	uint64_t *values = run_pass(data, metrics, filter, pass, pass->asked);
	size_t kept = 0;
	for (size_t i = 0; i < pass->events.count; i++) {
		pass->events.all[kept] = pass->events.all[i];
		pass->events.all[kept].value = values[i];
		kept += values[i] != 0;
	}
	pass->events.count = kept;
	free(values);
}

static int by_thread_and_time(const void *a, const void *b)
{
	const struct metric_event *x = a, *y = b;
	return COMPARE(x->experiment, y->experiment) ?: COMPARE(x->thread, y->thread) ?: COMPARE(x->time, y->time) ?:
	       COMPARE(x->order, y->order);
}

void metric_events_sort(struct metric_events *events)
{
	if (events->count)
		qsort(events->all, events->count, sizeof *events->all, by_thread_and_time);
}

static struct metric_events read_events(struct data *data, const struct metric_table *metrics, unsigned metric,
	const struct event_filter *filter, bool zeros)
{
	struct pass pass = {.data = data, .row = &metrics->rows[metric], .zeros = zeros};
	if (pass.row->pass)
		read_pass(data, metrics, filter, &pass);
	else
		event_filter_visit(data, pass.row->kind, filter, add_batch, &pass);
	metric_events_sort(&pass.events);
	free(pass.values);
	free(pass.numbers);
	return pass.events;
}

struct metric_events metric_events_read(
	struct data *data, const struct metric_table *metrics, unsigned metric, const struct event_filter *filter)
{
	return read_events(data, metrics, metric, filter, false);
}

struct metric_events metric_events_read_all(
	struct data *data, const struct metric_table *metrics, unsigned metric, const struct event_filter *filter)
{
	return read_events(data, metrics, metric, filter, metrics->rows[metric].kind == KIND_READING);
}
