/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads both kinds of courses, and finds what sets an odd window apart. */
#include "iteration_source.h"
#include "event_path.h"
#include "space_names.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

bool iteration_source_begin(struct iteration_source *source, struct session *session, bool spaces, unsigned metric)
{
	*source = (struct iteration_source){.session = session};
	if (spaces) {
		if (!space_report_begin(&source->spaces, session))
			return false;
		const struct space_report *own = &source->spaces;
		space_series_begin(&source->series, &own->appearances, &own->classes, &own->model);
		source->thread_count = own->appearances.thread_count;
		return true;
	}
	const struct metric_table *table = session_table(session);
	source->row = &table->rows[metric];
	metric_series_read(&source->metric, session->data, table, metric, session_filter(session));
	source->thread_count = source->metric.thread_count;
	if (source->thread_count)
		return true;
	iteration_source_end(source);
	return session_error(session, "There is no %s, or the filter keeps none", source->row->title);
}

void iteration_source_end(struct iteration_source *source)
{
	if (source->row) {
		metric_series_free(&source->metric);
		return;
	}
	space_series_end(&source->series);
	space_report_end(&source->spaces);
}

const char *iteration_source_title(const struct iteration_source *source)
{
	return source->row ? source->row->title : "code spaces";
}

struct iteration_course iteration_course_make(const struct iteration_source *source, uint32_t thread)
{
	struct iteration_course course = {0};
	if (!source->row) {
		course.values = space_series_of(&source->series, thread);
		return course;
	}
	for (unsigned part = 0; part < source->metric.parts; part++)
		course.parts[part] = metric_series_part(&source->metric, thread, part);
	course.values = metric_series_values(&source->metric, course.parts);
	return course;
}

void iteration_course_free(struct iteration_course *course)
{
	for (unsigned part = 0; part < 2; part++)
		free(course->parts[part].values);
	free(course->values.values);
}

double iteration_course_value(
	const struct iteration_source *source, const struct iteration_course *course, uint64_t from, uint64_t to)
{
	double sums[2] = {0, 1};
	for (unsigned part = 0; part < source->metric.parts; part++) {
		const struct series *own = &course->parts[part];
		sums[part] = 0;
		for (uint64_t i = from; i < to && i < own->count; i++)
			sums[part] += own->values[i];
	}
	return sums[1] > 0 ? sums[0] / sums[1] : 0;
}

struct iteration_thread iteration_thread_of(const struct iteration_source *source, uint32_t thread)
{
	const struct loaded_experiment *experiments = source->session->data->experiments;
	if (source->row) {
		const struct metric_thread *own = &source->metric.threads[thread];
		return (struct iteration_thread){experiments[own->experiment].number, own->thread};
	}
	const struct space_thread *own = &source->spaces.appearances.threads[thread];
	return (struct iteration_thread){experiments[own->experiment].number, own->number};
}

/* An odd window and the iterations that it is between, in cells of the first resolution. */
struct stretch {
	uint64_t from, to, first, last;
};

static struct stretch stretch_of(const struct iterations *iterations, uint32_t start)
{
	uint32_t last = iterations->starts[iterations->count - 1] + iterations->window;
	return (struct stretch){(uint64_t)start << iterations->halvings,
		(uint64_t)(start + iterations->window) << iterations->halvings,
		(uint64_t)iterations->starts[0] << iterations->halvings, (uint64_t)last << iterations->halvings};
}

/* How much more is in the window than in as much of the rest, by the sums of each. */
static double surplus_of(const struct stretch *stretch, double inside, double outside)
{
	double length = (double)(stretch->to - stretch->from), all = (double)(stretch->last - stretch->first);
	return inside - outside * length / (all - length);
}

/* The number of the largest value, whatever its sign; `count`: all are 0. */
static uint32_t largest(const double *values, uint32_t count)
{
	uint32_t found = count;
	for (uint32_t i = 0; i < count; i++)
		if (fabs(values[i]) > (found < count ? fabs(values[found]) : 0))
			found = i;
	return found;
}

/* An event's cell, at the first resolution. */
static double cell_of(const struct series *series, const struct metric_event *event)
{
	return event->time > series->from ? (double)(event->time - series->from) / series->cell : 0;
}

static const char *metric_change(const struct iteration_source *source, struct table *table, uint32_t thread,
	const struct iteration_course *course, const struct stretch *stretch, double usual)
{
	const struct metric_thread *own = &source->metric.threads[thread];
	const struct metric_event *events = source->metric.events[0].all + own->first[0];
	const struct path_shape shape = {false, false};
	struct event_path path = event_path_begin(session_tree(source->session), &shape);
	uint32_t functions = path.functions;
	double *inside = memory_new(functions, sizeof *inside), *outside = memory_new(functions, sizeof *outside);
	for (size_t i = 0; i < own->count[0]; i++) {
		double cell = cell_of(&course->values, &events[i]);
		event_path_find(&path, events[i].stack);
		if (cell <= (double)stretch->first || cell > (double)stretch->last || !path.count)
			continue;
		double *sums = cell > (double)stretch->from && cell <= (double)stretch->to ? inside : outside;
		sums[event_path_function(&path, path.count - 1)] += (double)events[i].value;
	}
	for (uint32_t f = 0; f < functions; f++)
		inside[f] = surplus_of(stretch, inside[f], outside[f]);
	uint32_t function = largest(inside, functions);
	double surplus = function < functions ? inside[function] : 0;
	free(inside);
	free(outside);
	event_path_end(&path);
	if (function == functions || !(usual > 0))
		return "";
	return table_text(
		table, "%+.1f %% %s", 100 * surplus / usual, session_function_name(source->session, table, function));
}

static const char *space_change(const struct iteration_source *source, struct table *table,
	const struct iteration_course *course, const struct stretch *stretch)
{
	const struct space_report *spaces = &source->spaces;
	unsigned dimensions = source->series.dimensions;
	double surplus[SPACE_SERIES_DIMENSIONS] = {0};
	for (unsigned d = 0; d < dimensions; d++) {
		const double *row = series_row(&course->values, d);
		double inside = 0, outside = 0;
		for (uint64_t i = stretch->first; i < stretch->last && i < course->values.count; i++)
			*(i >= stretch->from && i < stretch->to ? &inside : &outside) += row[i];
		surplus[d] = surplus_of(stretch, inside, outside);
	}
	uint32_t most = largest(surplus, dimensions);
	if (most == dimensions)
		return "";
	const struct space_dimension *own = &source->series.dimension[most];
	const char *name =
		space_class_name(source->session, table, &spaces->model, &spaces->classes.classes[own->class]);
	return table_text(table, "%+.1f %% space %" PRIu32 ": %s%s",
		100 * surplus[most] / (double)(stretch->to - stretch->from), own->class + 1, name,
		own->classes > 1 ? ", and others" : "");
}

const char *iteration_change(const struct iteration_source *source, struct table *table, uint32_t thread,
	const struct iteration_course *course, const struct iterations *iterations, uint32_t start, double usual)
{
	struct stretch stretch = stretch_of(iterations, start);
	if (!source->row)
		return space_change(source, table, course, &stretch);
	if (source->metric.parts > 1)
		return "";
	return metric_change(source, table, thread, course, &stretch, usual);
}
