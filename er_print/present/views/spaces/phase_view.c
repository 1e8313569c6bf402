/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command phase: one phase, by counter, by code space and by thread. */
#include "command_functions.h"
#include "phase_report.h"
#include "space_names.h"

#include <inttypes.h>
#include <stdlib.h>

struct panel {
	struct session *session;
	const struct phase_report *report;
	uint32_t phase;
	const struct space_phase *row;
};

static bool is_full(const struct panel *panel, uint32_t rows)
{
	return panel->session->limit && rows >= panel->session->limit;
}

static void add_title(const struct panel *panel, struct table *table)
{
	const struct space_report *spaces = &panel->report->spaces;
	table_preamble(table, table_text(table, "Phase %" PRIu32 ": %s", panel->phase + 1,
				      space_class_name(panel->session, table, &spaces->model,
					      &spaces->classes.classes[panel->row->heaviest])));
	table_preamble(
		table, table_text(table,
			       "%" PRIu32 " stretch%s in %" PRIu32 " thread%s; %.2f %% of the time; windows of %g ms",
			       panel->row->stretches, panel->row->stretches == 1 ? "" : "es", panel->row->threads,
			       panel->row->threads == 1 ? "" : "s",
			       100.0 * (double)panel->row->time / (double)spaces->classes.all.counts.time,
			       (double)panel->report->phases.window / 1e6));
	table_preamble(table, "");
}

static struct appearance_sum program_sum(const struct phase_report *report, unsigned counter)
{
	struct appearance_sum sum = {0};
	for (uint32_t p = 0; p < report->phases.count; p++)
		appearance_sum_add(&sum, &report->sums[p * report->spaces.appearances.counters + counter]);
	return sum;
}

static void show_counters(const struct panel *panel)
{
	struct table table = {.limited = true};
	const struct space_report *spaces = &panel->report->spaces;
	const struct space_counters *counters = &spaces->model.counters;
	add_title(panel, &table);
	table_group(&table, "Counted", "", "Counted");
	table_column(&table, COLUMN_COUNT);
	table_column(&table, COLUMN_PERCENT);
	static const struct table_heading headings[] = {{"Rate", COLUMN_RATIO}, {"Program's Rate", COLUMN_RATIO},
		{"by It", COLUMN_RATIO}, {"Name", COLUMN_TEXT}};
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	for (unsigned k = 0; k < counters->count && !is_full(panel, k); k++) {
		const struct appearance_sum *own = &panel->report->sums[panel->phase * counters->count + k];
		struct appearance_sum all = program_sum(panel->report, k);
		const char *name = space_rate_heading(spaces, &table, k);
		struct cell *cell = table_row(&table, ROW_PLAIN);
		cell_number(&cell[0], whole_number(own->counted));
		cell_pair(&cell[1], whole_number(own->counted), spaces->appearances.total[k]);
		space_rate_cell(spaces, &cell[2], k, appearance_sum_rate(own));
		space_rate_cell(spaces, &cell[3], k, appearance_sum_rate(&all));
		if (all.rated)
			space_ratio_cell(&cell[4], appearance_sum_rate(own) / appearance_sum_rate(&all));
		cell_words(&cell[5], counters->counter[k].is_time ? table_text(&table, "%s (ns)", name) : name);
	}
	space_report_print(&panel->report->spaces, &table);
}

/* Code spaces with more than the limit of the phase's time, beside their part of the whole run. */
static void show_spaces(const struct panel *panel)
{
	struct table table = {.limited = true, .fit_times = true};
	const struct space_report *spaces = &panel->report->spaces;
	const struct space_class *all = &spaces->classes.all;
	static const struct table_heading before[] = {{"Space", COLUMN_COUNT}, {"Time", COLUMN_TIME},
		{"of the Phase (%)", COLUMN_PERCENT}, {"of the Run (%)", COLUMN_PERCENT}, {"by It", COLUMN_RATIO},
		{"Name", COLUMN_TEXT}};
	uint32_t count, *classes = phase_classes(panel->report, panel->phase, &count);
	table_preamble(&table, "Its code spaces, and their parts of the whole run");
	table_preamble(&table, "");
	table_headings(&table, before, sizeof before / sizeof *before);
	for (uint32_t i = 0; i < count && !is_full(panel, i); i++) {
		const struct space_class *class = &spaces->classes.classes[classes[i]];
		uint64_t time = phase_time_in(panel->report, panel->phase, classes[i]);
		if (!space_exceeds(time, panel->row->time, spaces->model.rules.limit))
			break;
		const char *name = space_class_name(panel->session, &table, &spaces->model, class);
		struct cell *cell = table_row(&table, ROW_PLAIN);
		cell_number(&cell[0], classes[i] + 1);
		cell_number(&cell[1], time);
		cell_pair(&cell[2], time, panel->row->time);
		cell_pair(&cell[3], class->counts.time, all->counts.time);
		space_ratio_cell(&cell[4], (double)time / (double)panel->row->time *
						   ((double)all->counts.time / (double)class->counts.time));
		cell_words(&cell[5], name);
	}
	free(classes);
	session_another_report(panel->session);
	session_print(panel->session, &table);
}

struct thread_part {
	uint32_t stretches;
	uint64_t time, all, first; /* ns; first: when it first began */
};

static struct thread_part part_of(const struct panel *panel, const struct space_thread *thread)
{
	const struct appearances *appearances = &panel->report->spaces.appearances;
	struct thread_part part = {0};
	for (uint32_t i = thread->first; i < thread->first + thread->count; i++) {
		const struct appearance *own = &appearances->all[i];
		part.all += own->to - own->from;
		if (panel->report->phases.of[i] != panel->phase)
			continue;
		if (!part.stretches)
			part.first = own->from;
		part.time += own->to - own->from;
		part.stretches += !space_phase_goes_on(&panel->report->phases, appearances, i);
	}
	return part;
}

static void show_threads(const struct panel *panel)
{
	struct table table = {.limited = true, .fit_times = true};
	const struct appearances *appearances = &panel->report->spaces.appearances;
	static const struct table_heading headings[] = {{"Stretches", COLUMN_COUNT}, {"Time", COLUMN_TIME},
		{"of the Thread (%)", COLUMN_PERCENT}, {"First Began", COLUMN_TIME}, {"Name", COLUMN_TEXT}};
	uint32_t rows = 0;
	table_preamble(&table, "In each thread");
	table_preamble(&table, "");
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	for (uint32_t t = 0; t < appearances->thread_count && !is_full(panel, rows); t++) {
		struct thread_part part = part_of(panel, &appearances->threads[t]);
		if (!part.stretches)
			continue;
		const char *name = space_thread_name(&panel->report->spaces, &table, t);
		struct cell *cell = table_row(&table, ROW_PLAIN);
		cell_number(&cell[0], part.stretches);
		cell_number(&cell[1], part.time);
		cell_pair(&cell[2], part.time, part.all);
		cell_number(&cell[3], part.first);
		cell_words(&cell[4], name);
		rows++;
	}
	session_another_report(panel->session);
	session_print(panel->session, &table);
}

bool command_phase(struct session *session, unsigned argc, char **argv)
{
	struct phase_report report;
	if (!phase_report_begin(&report, session))
		return false;
	uint32_t number = space_number_argument(session, argc, argv, "phase", "phases", report.phases.count);
	if (number) {
		struct panel panel = {session, &report, number - 1, &report.phases.phases[number - 1]};
		show_counters(&panel);
		show_spaces(&panel);
		show_threads(&panel);
	}
	phase_report_end(&report);
	return number;
}
