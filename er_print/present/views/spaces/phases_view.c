/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command phases: how long and how often threads were in each phase, what was counted there, and which code spaces it is of. */
#include "command_functions.h"
#include "phase_report.h"
#include "space_names.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SPACES_SHOWN = 3 };

static void add_columns(const struct phase_report *report, struct table *table)
{
	static const struct table_heading first[] = {{"Stretches", COLUMN_COUNT}, {"Threads", COLUMN_COUNT},
		{"Longest Stretch", COLUMN_TIME}, {"First Began", COLUMN_TIME}, {"in", COLUMN_TEXT}};
	const struct space_counters *counters = &report->spaces.model.counters;
	table_headed(table, "Phase", COLUMN_COUNT);
	table_group(table, "Time", "", "Time");
	table_column(table, COLUMN_TIME);
	table_column(table, COLUMN_PERCENT);
	table_headings(table, first, sizeof first / sizeof *first);
	for (unsigned k = 0; k < counters->count; k++) {
		table_group(table, counters->counter[k].title, "", counters->counter[k].title);
		table_column(table, space_count_format(&report->spaces, k));
		table_column(table, COLUMN_PERCENT);
		table_headed(table, space_rate_heading(&report->spaces, table, k), COLUMN_RATIO);
	}
	table_headed(table, "Mostly", COLUMN_TEXT);
	table_headed(table, "Name", COLUMN_TEXT);
}

/* The spaces with the most time: "61.0 % space 2, 30.2 % space 5". */
static const char *mostly(const struct phase_report *report, struct table *table, uint32_t phase)
{
	const char *text = "";
	uint32_t count, *classes = phase_classes(report, phase, &count);
	for (uint32_t i = 0; i < count && i < SPACES_SHOWN; i++)
		text = table_text(table, "%s%s%.1f %% space %" PRIu32, text, i ? ", " : "",
			100.0 * (double)phase_time_in(report, phase, classes[i]) /
				(double)report->phases.phases[phase].time,
			classes[i] + 1);
	free(classes);
	return text;
}

static void add_row(const struct phase_report *report, struct table *table, uint32_t number)
{
	const struct space_report *spaces = &report->spaces;
	const struct space_phase *phase = &report->phases.phases[number];
	const struct appearance *first = &spaces->appearances.all[phase->first];
	unsigned counters = spaces->model.counters.count;
	const char *most = mostly(report, table, number);
	const char *name =
		space_class_name(spaces->session, table, &spaces->model, &spaces->classes.classes[phase->heaviest]);
	const char *thread = space_thread_name(spaces, table, first->thread);
	struct cell *cell = table_row(table, ROW_PLAIN);
	cell_number(&cell[0], number + 1);
	cell_number(&cell[1], phase->time);
	cell_pair(&cell[2], phase->time, spaces->classes.all.counts.time);
	cell_number(&cell[3], phase->stretches);
	cell_number(&cell[4], phase->threads);
	cell_number(&cell[5], phase->longest);
	cell_number(&cell[6], first->from);
	cell_words(&cell[7], thread);
	cell += 8;
	for (unsigned k = 0; k < counters; k++) {
		const struct appearance_sum *sum = &report->sums[number * counters + k];
		cell_number(cell++, whole_number(sum->counted));
		cell_pair(cell++, whole_number(sum->counted), spaces->appearances.total[k]);
		space_rate_cell(spaces, cell++, k, appearance_sum_rate(sum));
	}
	cell_words(&cell[0], most);
	cell_words(&cell[1], name);
}

bool command_phases(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct phase_report report;
	struct table table = {.limited = true, .fit_times = true};
	if (!phase_report_begin(&report, session))
		return false;
	uint32_t threads = report.spaces.appearances.thread_count;
	table_preamble(&table,
		table_text(&table,
			"Phases of %" PRIu32 " thread%s, by time: windows of %g ms with like parts of code spaces",
			threads, threads == 1 ? "" : "s", (double)report.phases.window / 1e6));
	table_preamble(&table, "");
	add_columns(&report, &table);
	for (uint32_t p = 0; p < report.phases.count && (!session->limit || p < session->limit); p++)
		add_row(&report, &table, p);
	space_report_print(&report.spaces, &table);
	phase_report_end(&report);
	return true;
}
