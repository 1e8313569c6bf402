/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the events of each thread among cells. */
#include "metric_series.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

/* The time that an event counts in. */
struct span {
	uint64_t from, to;
};

static int by_number(const void *a, const void *b)
{
	return COMPARE(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* How long before its time a sample of a counter counts at most. */
static uint64_t reach_of(const struct metric_event *events, size_t count)
{
	uint64_t *gaps = memory_new(count, sizeof *gaps), reach = 0;
	for (size_t i = 1; i < count; i++)
		gaps[i - 1] = events[i].time - events[i - 1].time;
	if (count > 1) {
		qsort(gaps, count - 1, sizeof *gaps, by_number);
		reach = 2 * gaps[(count - 1) / 2];
	}
	free(gaps);
	return reach;
}

/* Where an event began that ended at its time, and lasted for `length`. */
static struct span back_from(uint64_t time, uint64_t length)
{
	return (struct span){time > length ? time - length : 0, time};
}

/* before: the event before it in its thread; 0: there is none. reach: reach_of() the thread. */
static struct span span_of(
	const struct metric *row, const struct metric_event *event, const struct metric_event *before, uint64_t reach)
{
	uint64_t time = event->time, gap = before ? time - before->time : 0;
	bool is_time = row->unit == METRIC_NANOSECONDS;
	switch (event->kind) {
	case KIND_CLOCK:
		if (is_time)
			return back_from(time, !before                  ? event->value
					       : gap < 2 * event->value ? gap
									: 2 * event->value);
		break;
	case KIND_OVERFLOW:
	case KIND_READING:
		return back_from(time, gap < reach ? gap : reach);
	case KIND_MPI:
		if (is_time)
			return (struct span){time, time + event->value};
		break;
	default:
		if (is_time)
			return back_from(time, event->value);
	}
	return (struct span){time, time};
}

/* The thread of an event, which is added if it is new; threads that follow one another are mostly in order. */
static struct metric_thread *thread_of(struct metric_series *series, const struct metric_event *event)
{
	for (uint32_t t = series->thread_count; t-- > 0;) {
		struct metric_thread *own = &series->threads[t];
		if (own->experiment == event->experiment && own->thread == event->thread)
			return own;
	}
	series->threads = memory_room(series->threads, series->thread_count, sizeof *series->threads);
	struct metric_thread *added = &series->threads[series->thread_count++];
	*added = (struct metric_thread){.experiment = event->experiment, .thread = event->thread};
	return added;
}

static void find_threads(struct metric_series *series, unsigned part)
{
	const struct metric_events *events = &series->events[part];
	struct metric_thread *own = 0;
	for (size_t i = 0; i < events->count; i++) {
		const struct metric_event *event = &events->all[i];
		if (!own || own->experiment != event->experiment || own->thread != event->thread) {
			own = thread_of(series, event);
			own->first[part] = i;
		}
		own->count[part]++;
	}
}

static int by_thread(const void *a, const void *b)
{
	const struct metric_thread *x = a, *y = b;
	return COMPARE(x->experiment, y->experiment) ?: COMPARE(x->thread, y->thread);
}

static uint64_t reach_in(const struct metric_series *series, const struct metric_thread *thread, unsigned part)
{
	return reach_of(series->events[part].all + thread->first[part], thread->count[part]);
}

static void find_range(const struct metric_series *series, struct metric_thread *thread)
{
	thread->from = UINT64_MAX;
	for (unsigned part = 0; part < series->parts; part++) {
		const struct metric_event *events = series->events[part].all + thread->first[part];
		uint64_t reach = reach_in(series, thread, part);
		for (size_t i = 0; i < thread->count[part]; i++) {
			struct span span = span_of(series->rows[part], &events[i], i ? &events[i - 1] : 0, reach);
			thread->from = span.from < thread->from ? span.from : thread->from;
			thread->to = span.to > thread->to ? span.to : thread->to;
		}
	}
}

void metric_series_read(struct metric_series *series, struct data *data, const struct metric_table *metrics,
	unsigned metric, const struct event_filter *filter)
{
	const struct metric *row = &metrics->rows[metric];
	bool ratio = row->unit == METRIC_RATIO;
	*series = (struct metric_series){.parts = ratio ? 2 : 1};
	for (unsigned part = 0; part < series->parts; part++) {
		unsigned own = !ratio ? metric : (unsigned)(part ? row->denominator : row->numerator);
		series->rows[part] = &metrics->rows[own];
		series->events[part] = metric_events_read_all(data, metrics, own, filter);
		find_threads(series, part);
	}
	if (series->thread_count)
		qsort(series->threads, series->thread_count, sizeof *series->threads, by_thread);
	for (uint32_t t = 0; t < series->thread_count; t++)
		find_range(series, &series->threads[t]);
}

void metric_series_free(struct metric_series *series)
{
	for (unsigned part = 0; part < series->parts; part++)
		free(series->events[part].all);
	free(series->threads);
}

static uint32_t cells_of(const struct metric_thread *thread)
{
	size_t events = thread->count[0] > thread->count[1] ? thread->count[0] : thread->count[1];
	uint64_t cells = (uint64_t)events * SERIES_CELLS_BY_EVENT, range = thread->to - thread->from;
	cells = cells < SERIES_CELLS_MOST ? cells : SERIES_CELLS_MOST;
	return (uint32_t)(cells < range ? cells : range);
}

/* Adds the value to the cells from `from` to `to`, each by its part of that time; where that is no time, to one cell. */
static void divide(struct series *series, double value, double from, double to)
{
	double *values = series->values;
	uint32_t last = series->count - 1, cell = from < last ? (uint32_t)from : last;
	if (to - from < 1e-9) {
		values[cell] += value;
		return;
	}
	for (double at = from; at < to && cell <= last; cell++) {
		double end = cell < last && cell + 1.0 < to ? cell + 1.0 : to;
		values[cell] += value * (end - at) / (to - from);
		at = end;
	}
}

struct series metric_series_part(const struct metric_series *series, uint32_t thread, unsigned part)
{
	const struct metric_thread *own = &series->threads[thread];
	const struct metric_event *events = series->events[part].all + own->first[part];
	struct series made = {.dimensions = 1, .count = cells_of(own), .from = own->from};
	uint64_t reach = reach_in(series, own, part);
	made.values = memory_new(made.count, sizeof *made.values);
	if (!made.count)
		return made;
	made.cell = (double)(own->to - own->from) / made.count;
	for (size_t i = 0; i < own->count[part]; i++) {
		struct span span = span_of(series->rows[part], &events[i], i ? &events[i - 1] : 0, reach);
		divide(&made, (double)events[i].value, (double)(span.from - own->from) / made.cell,
			(double)(span.to - own->from) / made.cell);
	}
	return made;
}

struct series metric_series_values(const struct metric_series *series, const struct series parts[2])
{
	struct series made = parts[0];
	made.values = memory_new(made.count, sizeof *made.values);
	if (series->parts == 1) {
		memcpy(made.values, parts[0].values, made.count * sizeof *made.values);
		return made;
	}
	uint32_t known = 0;
	while (known < made.count && !(parts[1].values[known] > 0))
		known++;
	double last = known < made.count ? parts[0].values[known] / parts[1].values[known] : 0;
	for (uint32_t i = 0; i < made.count; i++) {
		if (parts[1].values[i] > 0)
			last = parts[0].values[i] / parts[1].values[i];
		made.values[i] = last;
	}
	return made;
}
