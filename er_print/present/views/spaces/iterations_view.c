/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command iterations: which part of a metric's course each thread repeats, and the parts that are like no other. */
#include "command_functions.h"
#include "event_path.h"
#include "index_objects.h"
#include "iterations.h"
#include "metric_columns.h"
#include "metric_series.h"
#include "search.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The command's argument, as it was read. */
struct wish {
	unsigned metric;
	double period; /* ns; 0: it is to be found */
};

struct thread_report {
	enum iterations_found found;
	struct iterations iterations;
	struct series parts[2]; /* of the metric, at the first resolution */
	double usual;           /* the metric's value in a repetition: the median one */
};
struct report {
	struct session *session;
	const struct metric *row;
	struct metric_series series;
	struct thread_report *threads; /* as those of the series */
	uint32_t odd_count;
};

/* "METRIC" or "METRIC:period=MILLISECONDS". */
static bool read_wish(struct session *session, const char *text, struct wish *wish)
{
	static const char period[] = ":period=";
	const char *colon = strchr(text, ':');
	char name[128], *end = "";
	snprintf(name, sizeof name, "%.*s", (int)(colon ? (size_t)(colon - text) : strlen(text)), text);
	if (colon) {
		bool starts = !strncmp(colon, period, sizeof period - 1);
		wish->period = starts ? strtod(colon + sizeof period - 1, &end) * 1e6 : 0;
		if (!starts || *end || !(wish->period >= 1) || wish->period > 1e18)
			return session_error(session,
				"Invalid argument to command: iterations %s: after the metric there may be "
				":period=MILLISECONDS",
				text);
	}
	int metric = metric_find(session_table(session), name);
	if (metric < 0 || !session_metrics(session).recorded[metric])
		return session_error(session, "iterations %s: %s; metric_list lists the metrics", name,
			metric < 0 ? "there is no such metric" : "no data recorded for this metric");
	wish->metric = (unsigned)metric;
	return true;
}

/* The metric's value from one cell to another, half-open, at the resolution of the iterations. */
static double value_in(const struct report *report, const struct thread_report *thread, uint32_t from, uint32_t to)
{
	double sums[2] = {0, 1};
	for (unsigned part = 0; part < report->series.parts; part++) {
		const struct series *own = &thread->parts[part];
		sums[part] = 0;
		for (uint64_t i = (uint64_t)from << thread->iterations.halvings;
			i < (uint64_t)to << thread->iterations.halvings && i < own->count; i++)
			sums[part] += own->values[i];
	}
	return sums[1] > 0 ? sums[0] / sums[1] : 0;
}

static int by_number(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return COMPARE(*x, *y);
}

static double usual_value(const struct report *report, const struct thread_report *thread)
{
	const struct iterations *own = &thread->iterations;
	double *values = memory_new(own->count, sizeof *values);
	for (uint32_t i = 0; i < own->count; i++)
		values[i] = value_in(report, thread, own->starts[i], own->starts[i] + own->window);
	qsort(values, own->count, sizeof *values, by_number);
	double usual = values[own->count / 2];
	free(values);
	return usual;
}

static void analyse(struct report *report, uint32_t number, double period)
{
	struct thread_report *thread = &report->threads[number];
	for (unsigned part = 0; part < report->series.parts; part++)
		thread->parts[part] = metric_series_part(&report->series, number, part);
	struct series values = metric_series_values(&report->series, thread->parts);
	thread->found = iterations_find(&thread->iterations, &values, period);
	free(values.values);
	if (thread->found != ITERATIONS_FOUND)
		return;
	thread->usual = usual_value(report, thread);
	report->odd_count += thread->iterations.odd_count;
}

static void report_begin(struct report *report, struct session *session, const struct wish *wish)
{
	const struct metric_table *table = session_table(session);
	*report = (struct report){.session = session, .row = &table->rows[wish->metric]};
	metric_series_read(&report->series, session->data, table, wish->metric, session_filter(session));
	report->threads = memory_new(report->series.thread_count, sizeof *report->threads);
	for (uint32_t t = 0; t < report->series.thread_count; t++)
		analyse(report, t, wish->period);
}

static void report_end(struct report *report)
{
	for (uint32_t t = 0; t < report->series.thread_count; t++) {
		struct thread_report *thread = &report->threads[t];
		if (thread->found == ITERATIONS_FOUND)
			iterations_free(&thread->iterations);
		for (unsigned part = 0; part < report->series.parts; part++)
			free(thread->parts[part].values);
	}
	free(report->threads);
	metric_series_free(&report->series);
}

static enum column_format value_format(const struct metric *row)
{
	return row->unit == METRIC_NANOSECONDS ? COLUMN_TIME : metric_value_format(row->unit);
}

static void value_cell(const struct report *report, struct cell *cell, double value)
{
	const double parts = 1e6;
	if (report->row->unit == METRIC_RATIO)
		cell_pair(cell, (uint64_t)llround(value * parts), (uint64_t)parts);
	else
		cell_number(cell, (uint64_t)llround(value));
}

static void part_cell(struct cell *cell, double part)
{
	const double parts = 1e6;
	cell_pair(cell, part > 0 ? (uint64_t)llround(part * parts) : 0, (uint64_t)parts);
}

/* Where a cell begins, in ns since the founder's start. */
static uint64_t moment_of(const struct iterations *iterations, uint32_t cell)
{
	return iterations->series.from + (uint64_t)llround(cell * iterations->series.cell);
}

static const char *thread_name(const struct report *report, struct table *table, uint32_t number)
{
	const struct metric_thread *own = &report->series.threads[number];
	int64_t value = (int64_t)report->session->data->experiments[own->experiment].number << 32 | own->thread;
	return index_object_row(report->session, table, INDEX_THREAD, value);
}

static void thread_row(const struct report *report, struct table *table, uint32_t number)
{
	static const char *const why[] = {
		[ITERATIONS_FOUND] = "",
		[ITERATIONS_NO_PERIOD] = "nothing is repeated",
		[ITERATIONS_CONSTANT] = "it does not vary",
		[ITERATIONS_TOO_SHORT] = "no such period",
	};
	const struct thread_report *thread = &report->threads[number];
	const struct iterations *own = &thread->iterations;
	const char *name = thread_name(report, table, number);
	struct cell *cell = table_row(table, ROW_PLAIN);
	bool found = thread->found == ITERATIONS_FOUND;
	cell_number(&cell[0], found ? own->count : 0);
	if (found) {
		cell_number(&cell[1], (uint64_t)llround(iterations_period(own)));
		cell_number(&cell[2], moment_of(own, own->motif));
		part_cell(&cell[3], own->alike);
		value_cell(report, &cell[4], thread->usual);
		cell_number(&cell[5], own->odd_count);
	}
	cell_words(&cell[6], why[thread->found]);
	cell_words(&cell[7], name);
}

static void show_threads(const struct report *report)
{
	struct table table = {.limited = true};
	const struct table_heading headings[] = {{"Iterations", COLUMN_COUNT}, {"Period", COLUMN_TIME},
		{"Typical One at", COLUMN_TIME}, {"Alike (%)", COLUMN_PERCENT},
		{"Usual Value", value_format(report->row)}, {"Odd", COLUMN_COUNT}, {"Remark", COLUMN_TEXT},
		{"Name", COLUMN_TEXT}};
	unsigned long limit = report->session->limit;
	table_preamble(&table,
		table_text(&table, "Iterations of each thread by %s: what its course repeats", report->row->title));
	table_preamble(&table, "");
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	for (uint32_t t = 0; t < report->series.thread_count && (!limit || t < limit); t++)
		thread_row(report, &table, t);
	session_print(report->session, &table);
}

/* A function, and how much more of the metric it has in an odd window than in as much of the thread's other iterations. */
struct surplus {
	uint32_t function;
	double value;
};

/* Whose value differs most. False: there is no such function, or the metric is a ratio. */
static bool find_surplus(const struct report *report, uint32_t number, uint32_t start, struct surplus *surplus)
{
	const struct iterations *own = &report->threads[number].iterations;
	const struct metric_thread *thread = &report->series.threads[number];
	const struct path_shape shape = {false, false};
	struct event_path path = event_path_begin(session_tree(report->session), &shape);
	uint32_t functions = 0;
	for (uint32_t n = 0; n < path.from->count; n++)
		if (path.from->nodes[n].frame.function >= functions)
			functions = path.from->nodes[n].frame.function + 1;
	double *more = memory_new(functions, sizeof *more);
	uint64_t from = moment_of(own, start), to = moment_of(own, start + own->window);
	uint64_t first = moment_of(own, own->starts[0]),
		 last = moment_of(own, own->starts[own->count - 1] + own->window);
	double usual = (double)(to - from) / (double)(last - first - (to - from)); /* the odd one lies between these */
	*surplus = (struct surplus){0};
	for (size_t i = 0; i < thread->count[0]; i++) {
		const struct metric_event *event = &report->series.events[0].all[thread->first[0] + i];
		if (event->time <= first || event->time > last)
			continue;
		event_path_find(&path, event->stack);
		if (!path.count)
			continue;
		bool inside = event->time > from && event->time <= to;
		more[event_path_function(&path, path.count - 1)] += (double)event->value * (inside ? 1 : -usual);
	}
	for (uint32_t f = 0; f < functions; f++)
		if (fabs(more[f]) > fabs(surplus->value))
			*surplus = (struct surplus){f, more[f]};
	free(more);
	event_path_end(&path);
	return report->series.parts == 1 && surplus->value != 0;
}

/* "+80.0 % work": of the usual value. */
static const char *surplus_text(const struct report *report, struct table *table, uint32_t number, uint32_t start)
{
	struct surplus surplus;
	double usual = report->threads[number].usual;
	if (!find_surplus(report, number, start, &surplus) || !(usual > 0))
		return "";
	return table_text(table, "%+.1f %% %s", 100 * surplus.value / usual,
		session_function_name(report->session, table, surplus.function));
}

static void odd_row(const struct report *report, struct table *table, uint32_t number, const struct odd_window *odd)
{
	const struct thread_report *thread = &report->threads[number];
	const struct iterations *own = &thread->iterations;
	double value = value_in(report, thread, odd->start, odd->start + own->window);
	const char *changed = surplus_text(report, table, number, odd->start);
	const char *name = thread_name(report, table, number);
	struct cell *cell = table_row(table, ROW_PLAIN);
	cell_number(&cell[0], moment_of(own, odd->start));
	cell_number(&cell[1], moment_of(own, odd->start + own->window));
	part_cell(&cell[2], odd->alike);
	part_cell(&cell[3], own->usual);
	value_cell(report, &cell[4], value);
	if (thread->usual > 0)
		part_cell(&cell[5], value / thread->usual);
	cell_words(&cell[6], changed);
	cell_words(&cell[7], name);
}

static void show_odd(const struct report *report)
{
	struct table table = {.limited = true};
	const struct table_heading headings[] = {{"From", COLUMN_TIME}, {"To", COLUMN_TIME},
		{"Alike (%)", COLUMN_PERCENT}, {"Others (%)", COLUMN_PERCENT}, {"Value", value_format(report->row)},
		{"by Usual", COLUMN_RATIO}, {"Changed Most", COLUMN_TEXT}, {"Name", COLUMN_TEXT}};
	unsigned long limit = report->session->limit, rows = 0;
	session_tell_names_apart(report->session);
	table_preamble(&table, "Odd ones: how much they are like what is most like them");
	table_preamble(&table, "");
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	for (uint32_t t = 0; t < report->series.thread_count; t++)
		for (uint32_t i = 0; i < report->threads[t].iterations.odd_count && (!limit || rows < limit);
			i++, rows++)
			odd_row(report, &table, t, &report->threads[t].iterations.odd[i]);
	session_another_report(report->session);
	session_print(report->session, &table);
}

bool command_iterations(struct session *session, unsigned argc, char **argv)
{
	struct wish wish = {.metric = session->sort.item.metric};
	struct report report;
	if (!argc && session->sort.item.type != ITEM_METRIC)
		return session_error(session, "iterations: name a metric, since lists are sorted by none");
	if (argc && !read_wish(session, argv[0], &wish))
		return false;
	report_begin(&report, session, &wish);
	bool some = report.series.thread_count ||
		    session_error(session, "There is no %s, or the filter keeps none", report.row->title);
	if (some)
		show_threads(&report);
	if (report.odd_count)
		show_odd(&report);
	report_end(&report);
	return some;
}
