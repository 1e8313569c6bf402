/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command patterns: the same class of code spaces beside different ones, and what was counted in it there. */
#include "command_functions.h"
#include "space_names.h"
#include "space_report.h"

#include <stdlib.h>

struct listing {
	const struct space_report *report;
	struct table *table;
	struct space_patterns patterns;
	struct space_verdict *verdicts; /* by pattern and counter */
};

static void add_columns(const struct listing *listing)
{
	static const struct table_heading headings[] = {{"Space", COLUMN_COUNT}, {"Side", COLUMN_TEXT},
		{"Neighbour", COLUMN_TEXT}, {"Appearances", COLUMN_COUNT}, {"Intervals", COLUMN_COUNT},
		{"Time", COLUMN_TIME}};
	const struct space_counters *counters = &listing->report->model.counters;
	struct table *table = listing->table;
	table_headings(table, headings, sizeof headings / sizeof *headings);
	for (unsigned k = 0; k < counters->count; k++) {
		enum column_format format = space_count_format(listing->report, k);
		table_headed(table, counters->counter[k].title, format);
		table_headed(table, table_text(table, "%s, First Interval", counters->counter[k].title), format);
		table_headed(table, space_rate_heading(listing->report, table, k), COLUMN_RATIO);
		table_headed(table, "by Mean", COLUMN_RATIO);
		table_headed(table, "Verdict", COLUMN_TEXT);
	}
	table_headed(table, "Name", COLUMN_TEXT);
}

static const char *neighbour_name(const struct listing *listing, const struct space_pattern *pattern)
{
	if (pattern->neighbour == NO_NUMBER)
		return pattern->follows ? "<begin>" : "<end>";
	return table_text(listing->table, "%u %s", pattern->neighbour + 1,
		space_class_name(listing->report->session, listing->table, &listing->report->model,
			&listing->report->classes.classes[pattern->neighbour]));
}

static void add_row(const struct listing *listing, uint32_t index)
{
	const struct space_report *report = listing->report;
	const struct space_pattern *pattern = &listing->patterns.all[index];
	unsigned counters = report->model.counters.count;
	const char *neighbour = neighbour_name(listing, pattern);
	const char *name = space_class_name(
		report->session, listing->table, &report->model, &report->classes.classes[pattern->class]);
	struct cell *cell = table_row(listing->table, ROW_PLAIN);
	cell_number(&cell[0], pattern->class + 1);
	cell_words(&cell[1], pattern->follows ? "after" : "before");
	cell_words(&cell[2], neighbour);
	cell_number(&cell[3], pattern->appearances);
	cell_number(&cell[4], pattern->intervals);
	cell_number(&cell[5], pattern->time);
	cell += 6;
	for (unsigned k = 0; k < counters; k++) {
		const struct space_verdict *verdict = &listing->verdicts[index * counters + k];
		cell_number(cell++, whole_number(pattern->sums[k].counted));
		cell_number(cell++, whole_number(pattern->sums[k].first));
		if (verdict->judgement != JUDGED_UNKNOWN) {
			space_rate_cell(report, cell, k, verdict->rate);
			space_ratio_cell(cell + 1, verdict->ratio);
		}
		cell_words(cell + 2, space_verdict_text(listing->table, verdict));
		cell += 3;
	}
	cell_words(cell, name);
}

static void add_rows(const struct listing *listing)
{
	uint32_t shown = 0;
	unsigned long limit = listing->report->session->limit;
	for (uint32_t p = 0; p < listing->patterns.count && (!limit || shown < limit); p++) {
		if (!listing->report->listed[listing->patterns.all[p].class])
			continue;
		add_row(listing, p);
		shown++;
	}
}

bool command_patterns(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct space_report report;
	struct table table = {.limited = true, .fit_times = true};
	struct listing listing = {.report = &report, .table = &table};
	if (!space_report_begin(&report, session))
		return false;
	space_patterns_compute(&listing.patterns, &report.appearances, &report.order, report.classes.count);
	listing.verdicts = sift_patterns(&report.sifting, &listing.patterns);
	space_verdicts_correct(listing.verdicts, listing.patterns.count * report.model.counters.count);
	table_preamble(&table,
		"Code spaces beside different neighbours in time, and what was counted in them there, beside the "
		"mean of the space");
	table_preamble(&table, "");
	add_columns(&listing);
	add_rows(&listing);
	if (!table.row_count)
		table_footnote(&table, "No code space has two different neighbours on one side");
	space_report_print(&report, &table);
	space_patterns_free(&listing.patterns);
	free(listing.verdicts);
	space_report_end(&report);
	return true;
}
