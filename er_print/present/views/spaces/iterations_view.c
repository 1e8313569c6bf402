/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command iterations: which part of a metric's course each thread repeats, and the parts that are like no other. */
#include "command_functions.h"
#include "event_path.h"
#include "index_objects.h"
#include "iteration_source.h"
#include "metric_columns.h"
#include "search.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The command's argument, as it was read. */
struct wish {
	bool spaces;
	unsigned metric;
	double period; /* ns; 0: it is to be found */
};

struct thread_report {
	enum iterations_found found;
	struct iterations iterations;
	struct iteration_course course;
	double usual; /* the metric's value in a repetition: the median one */
};
struct report {
	struct session *session;
	struct iteration_source source;
	struct thread_report *threads; /* as those of the source */
	uint32_t odd_count;
};

/* "METRIC" or "spaces", and ":period=MILLISECONDS" behind it or not. */
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
	wish->spaces = !strcasecmp(name, "spaces");
	if (wish->spaces)
		return true;
	int metric = metric_find(session_table(session), name);
	if (metric < 0 || !session_metrics(session).recorded[metric])
		return session_error(session, "iterations %s: %s; metric_list lists the metrics", name,
			metric < 0 ? "there is no such metric" : "no data recorded for this metric");
	wish->metric = (unsigned)metric;
	return true;
}

static int by_number(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return COMPARE(*x, *y);
}

/* The metric's value in a window from a cell on. */
static double value_in(const struct report *report, const struct thread_report *thread, uint32_t start)
{
	const struct iterations *own = &thread->iterations;
	return iteration_course_value(&report->source, &thread->course, (uint64_t)start << own->halvings,
		(uint64_t)(start + own->window) << own->halvings);
}

static double usual_value(const struct report *report, const struct thread_report *thread)
{
	const struct iterations *own = &thread->iterations;
	double *values = memory_new(own->count, sizeof *values);
	for (uint32_t i = 0; i < own->count; i++)
		values[i] = value_in(report, thread, own->starts[i]);
	qsort(values, own->count, sizeof *values, by_number);
	double usual = values[own->count / 2];
	free(values);
	return usual;
}

static void analyse(struct report *report, uint32_t number, double period)
{
	struct thread_report *thread = &report->threads[number];
	thread->course = iteration_course_make(&report->source, number);
	thread->found = iterations_find(&thread->iterations, &thread->course.values, period);
	if (thread->found != ITERATIONS_FOUND)
		return;
	thread->usual = usual_value(report, thread);
	report->odd_count += thread->iterations.odd_count;
}

static bool report_begin(struct report *report, struct session *session, const struct wish *wish)
{
	*report = (struct report){.session = session};
	if (!iteration_source_begin(&report->source, session, wish->spaces, wish->metric))
		return false;
	report->threads = memory_new(report->source.thread_count, sizeof *report->threads);
	for (uint32_t t = 0; t < report->source.thread_count; t++)
		analyse(report, t, wish->period);
	return true;
}

static void report_end(struct report *report)
{
	for (uint32_t t = 0; t < report->source.thread_count; t++) {
		struct thread_report *thread = &report->threads[t];
		if (thread->found == ITERATIONS_FOUND)
			iterations_free(&thread->iterations);
		iteration_course_free(&thread->course);
	}
	free(report->threads);
	iteration_source_end(&report->source);
}

/* A column of the metric's values; code spaces have none. */
static void add_value_column(const struct report *report, struct table *table, const char *heading)
{
	const struct metric *row = report->source.row;
	if (row)
		table_headed(
			table, heading, row->unit == METRIC_NANOSECONDS ? COLUMN_TIME : metric_value_format(row->unit));
}

/* Fills such a column's cell. Returns the cell after it. */
static struct cell *value_cell(const struct report *report, struct cell *cell, double value)
{
	const double parts = 1e6;
	const struct metric *row = report->source.row;
	if (!row)
		return cell;
	if (row->unit == METRIC_RATIO)
		cell_pair(cell, (uint64_t)llround(value * parts), (uint64_t)parts);
	else
		cell_number(cell, (uint64_t)llround(value));
	return cell + 1;
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

/* "Process 1, Thread 1". */
static const char *thread_name(const struct report *report, struct table *table, uint32_t number)
{
	struct iteration_thread own = iteration_thread_of(&report->source, number);
	return index_object_row(report->session, table, INDEX_THREAD, (int64_t)own.experiment << 32 | own.thread);
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
		struct cell *after = value_cell(report, &cell[4], thread->usual);
		cell_number(after, own->odd_count);
	}
	cell += table->column_count - 2;
	cell_words(&cell[0], why[thread->found]);
	cell_words(&cell[1], name);
}

static void show_threads(const struct report *report)
{
	struct table table = {.limited = true};
	static const struct table_heading first[] = {{"Iterations", COLUMN_COUNT}, {"Period", COLUMN_TIME},
		{"Typical One at", COLUMN_TIME}, {"Alike (%)", COLUMN_PERCENT}},
					  last[] = {{"Odd", COLUMN_COUNT}, {"Remark", COLUMN_TEXT},
						  {"Name", COLUMN_TEXT}};
	unsigned long limit = report->session->limit;
	table_preamble(&table, table_text(&table, "Iterations of each thread by %s: what its course repeats",
				       iteration_source_title(&report->source)));
	table_preamble(&table, "");
	table_headings(&table, first, sizeof first / sizeof *first);
	add_value_column(report, &table, "Usual Value");
	table_headings(&table, last, sizeof last / sizeof *last);
	for (uint32_t t = 0; t < report->source.thread_count && (!limit || t < limit); t++)
		thread_row(report, &table, t);
	session_print(report->session, &table);
}

static void odd_row(const struct report *report, struct table *table, uint32_t number, const struct odd_window *odd)
{
	const struct thread_report *thread = &report->threads[number];
	const struct iterations *own = &thread->iterations;
	double value = value_in(report, thread, odd->start);
	const char *changed =
		iteration_change(&report->source, table, number, &thread->course, own, odd->start, thread->usual);
	const char *name = thread_name(report, table, number);
	struct cell *cell = table_row(table, ROW_PLAIN);
	cell_number(&cell[0], moment_of(own, odd->start));
	cell_number(&cell[1], moment_of(own, odd->start + own->window));
	part_cell(&cell[2], odd->alike);
	part_cell(&cell[3], own->usual);
	cell = value_cell(report, &cell[4], value);
	if (report->source.row && thread->usual > 0)
		part_cell(&cell[0], value / thread->usual);
	cell += report->source.row != 0;
	cell_words(&cell[0], changed);
	cell_words(&cell[1], name);
}

/* How other reports show the first of them. */
static const char *filter_text(const struct report *report, struct table *table)
{
	uint32_t number = 0;
	while (!report->threads[number].iterations.odd_count)
		number++;
	const struct iterations *own = &report->threads[number].iterations;
	struct iteration_thread thread = iteration_thread_of(&report->source, number);
	return table_text(table,
		"The first one in other reports: filters EXPID==%" PRIu32 " && THRID==%" PRIu32 " && TSTAMP>%" PRIu64
		" && TSTAMP<=%" PRIu64,
		thread.experiment, thread.thread, moment_of(own, own->odd[0].start),
		moment_of(own, own->odd[0].start + own->window));
}

static void show_odd(const struct report *report)
{
	struct table table = {.limited = true};
	static const struct table_heading first[] = {{"From", COLUMN_TIME}, {"To", COLUMN_TIME},
		{"Alike (%)", COLUMN_PERCENT}, {"Others (%)", COLUMN_PERCENT}},
					  last[] = {{"Changed Most", COLUMN_TEXT}, {"Name", COLUMN_TEXT}};
	unsigned long limit = report->session->limit, rows = 0;
	session_tell_names_apart(report->session);
	table_preamble(&table, "Odd ones: how much they are like what is most like them");
	table_preamble(&table, "");
	table_headings(&table, first, sizeof first / sizeof *first);
	add_value_column(report, &table, "Value");
	if (report->source.row)
		table_headed(&table, "by Usual", COLUMN_RATIO);
	table_headings(&table, last, sizeof last / sizeof *last);
	for (uint32_t t = 0; t < report->source.thread_count; t++)
		for (uint32_t i = 0; i < report->threads[t].iterations.odd_count && (!limit || rows < limit);
			i++, rows++)
			odd_row(report, &table, t, &report->threads[t].iterations.odd[i]);
	table_footnote(&table, filter_text(report, &table));
	session_another_report(report->session);
	session_print(report->session, &table);
}

bool command_iterations(struct session *session, unsigned argc, char **argv)
{
	struct wish wish = {.metric = session->sort.item.metric};
	struct report report;
	if (!argc && session->sort.item.type != ITEM_METRIC)
		return session_error(session, "iterations: name a metric, since lists are sorted by none");
	if ((argc && !read_wish(session, argv[0], &wish)) || !report_begin(&report, session, &wish))
		return false;
	show_threads(&report);
	if (report.odd_count)
		show_odd(&report);
	report_end(&report);
	return true;
}
