/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command space: one class of code spaces, by counter and by thread. */
#include "command_functions.h"
#include "extremes_view.h"
#include "space_names.h"
#include "space_report.h"

#include <inttypes.h>
#include <stdlib.h>

struct panel {
	struct session *session;
	const struct space_report *report;
	uint32_t class;
	const struct space_class *row;
	const uint32_t *appearances; /* of the class */
	uint32_t count;
};

static void add_verdict(const struct panel *panel, struct table *table, struct cell *cell, unsigned counter,
	const struct space_verdict *verdict)
{
	if (verdict->judgement != JUDGED_UNKNOWN) {
		space_rate_cell(panel->report, &cell[0], counter, verdict->rate);
		space_rate_cell(panel->report, &cell[1], counter, verdict->other_rate);
		space_ratio_cell(&cell[2], verdict->ratio);
	}
	cell_words(&cell[3], space_verdict_text(table, verdict));
}

static void add_title(const struct panel *panel, struct table *table)
{
	const struct space_class *all = &panel->report->classes.all;
	const struct code_space *leader = &panel->report->model.table.spaces[panel->row->leader];
	unsigned instructions = panel->report->model.counters.instructions;
	const char *text = table_text(table, "Space %" PRIu32 ": %s", panel->class + 1,
		space_class_name(panel->session, table, &panel->report->model, panel->row));
	table_preamble(table, text);
	table_preamble(table,
		table_text(table,
			"%" PRIu32 " instructions, %" PRIu64 " intervals in %" PRIu32
			" appearances; %.2f %% of the weight, "
			"%.2f %% of the time",
			leader->length, panel->row->counts.occurrences, panel->count,
			all->weight ? 100.0 * (double)panel->row->weight / (double)all->weight : 0,
			all->counts.time ? 100.0 * (double)panel->row->counts.time / (double)all->counts.time : 0));
	if (instructions < SPACE_COUNTERS_MAX && panel->row->weight)
		table_preamble(table,
			table_text(table, "Executed %.0f times in an interval, by the instructions that were counted",
				(double)panel->row->counts.counted[instructions] / (double)panel->row->weight));
	table_preamble(table, "");
}

static void show_counters(const struct panel *panel)
{
	struct table table = {.limited = true};
	const struct space_counters *counters = &panel->report->model.counters;
	struct space_verdict *verdicts = sift_classes(&panel->report->sifting);
	space_verdicts_correct(verdicts, panel->report->classes.count * counters->count);
	add_title(panel, &table);
	table_group(&table, "Counted", "", "Counted");
	table_column(&table, COLUMN_COUNT);
	table_column(&table, COLUMN_PERCENT);
	static const struct table_heading headings[] = {{"Rate", COLUMN_RATIO}, {"Program's Rate", COLUMN_RATIO},
		{"by It", COLUMN_RATIO}, {"Verdict", COLUMN_TEXT}, {"Name", COLUMN_TEXT}};
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	for (unsigned k = 0; k < counters->count && (!panel->session->limit || k < panel->session->limit); k++) {
		struct cell *cell = table_row(&table, ROW_PLAIN);
		cell_number(&cell[0], panel->row->counts.counted[k]);
		cell_pair(&cell[1], panel->row->counts.counted[k], panel->report->classes.all.counts.counted[k]);
		add_verdict(panel, &table, &cell[2], k, &verdicts[panel->class * counters->count + k]);
		const char *name = space_rate_heading(panel->report, &table, k);
		cell_words(&cell[6], counters->counter[k].is_time ? table_text(&table, "%s (ns)", name) : name);
	}
	free(verdicts);
	space_report_print(panel->report, &table);
}

struct thread_sum {
	uint32_t appearances, intervals;
	uint64_t time;
	double counted[SPACE_COUNTERS_MAX];
};

static struct thread_sum sum_of(const struct panel *panel, uint32_t first, uint32_t end)
{
	const struct appearances *appearances = &panel->report->appearances;
	struct thread_sum sum = {.appearances = end - first};
	for (uint32_t i = first; i < end; i++) {
		const struct appearance *own = &appearances->all[panel->appearances[i]];
		sum.intervals += own->intervals;
		sum.time += own->to - own->from;
		for (unsigned k = 0; k < appearances->counters; k++)
			sum.counted[k] += appearance_sum(appearances, panel->appearances[i], k)->counted;
	}
	return sum;
}

static void add_counter_columns(const struct panel *panel, struct table *table, const char *other)
{
	const struct space_counters *counters = &panel->report->model.counters;
	for (unsigned k = 0; k < counters->count; k++) {
		table_headed(table, counters->counter[k].title, space_count_format(panel->report, k));
		table_headed(table, space_rate_heading(panel->report, table, k), COLUMN_RATIO);
		table_headed(table, other, COLUMN_RATIO);
		table_headed(table, "Ratio", COLUMN_RATIO);
		table_headed(table, "Verdict", COLUMN_TEXT);
	}
	table_headed(table, "Name", COLUMN_TEXT);
}

/* The class in each thread, beside the others. */
static void show_threads(const struct panel *panel)
{
	struct table table = {.limited = true, .fit_times = true};
	const struct appearances *appearances = &panel->report->appearances;
	unsigned counters = appearances->counters;
	struct space_verdict *verdicts = sift_threads(&panel->report->sifting, panel->class);
	space_verdicts_correct(verdicts, appearances->thread_count * counters);
	static const struct table_heading headings[] = {
		{"Appearances", COLUMN_COUNT}, {"Intervals", COLUMN_COUNT}, {"Time", COLUMN_TIME}};
	table_preamble(&table, "In each thread, beside the other threads");
	table_preamble(&table, "");
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	add_counter_columns(panel, &table, "Others'");
	uint32_t rows = 0;
	for (uint32_t first = 0, end; first < panel->count; first = end) {
		uint32_t thread = appearances->all[panel->appearances[first]].thread;
		for (end = first; end < panel->count && appearances->all[panel->appearances[end]].thread == thread;)
			end++;
		if (panel->session->limit && rows++ >= panel->session->limit)
			break;
		struct thread_sum sum = sum_of(panel, first, end);
		const char *name = space_thread_name(panel->report, &table, thread);
		struct cell *cell = table_row(&table, ROW_PLAIN);
		cell_number(&cell[0], sum.appearances);
		cell_number(&cell[1], sum.intervals);
		cell_number(&cell[2], sum.time);
		cell += 3;
		for (unsigned k = 0; k < counters; k++, cell += 5) {
			cell_number(&cell[0], whole_number(sum.counted[k]));
			add_verdict(panel, &table, &cell[1], k, &verdicts[thread * counters + k]);
		}
		cell_words(cell, name);
	}
	free(verdicts);
	session_another_report(panel->session);
	session_print(panel->session, &table);
}

bool command_space(struct session *session, unsigned argc, char **argv)
{
	struct space_report report;
	if (!space_report_begin(&report, session))
		return false;
	uint32_t number = space_number_argument(session, argc, argv, "space", "spaces", report.classes.count);
	if (number) {
		uint32_t class = number - 1;
		report.listed[class] = true;
		struct panel panel = {session, &report, class, &report.classes.classes[class],
			report.order.order + report.order.first[class],
			report.order.first[class + 1] - report.order.first[class]};
		show_counters(&panel);
		show_threads(&panel);
		extremes_view_show(&report, class);
	}
	space_report_end(&report);
	return number;
}
