/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command recurrence: how often each class of code spaces appears, and the longest gap between two of its appearances. */
#include "command_functions.h"
#include "search.h"
#include "space_names.h"
#include "space_report.h"

#include <inttypes.h>
#include <stdlib.h>

/* A class that is listed. */
struct recurring {
	struct space_recurrence recurrence;
	struct space_gap gap;
	double excess;                        /* longest gap by median gap */
	const struct space_verdict *verdicts; /* by counter, of what is in the gap beside the rest */
};
struct listing {
	const struct space_report *report;
	struct table *table;
	struct recurring *rows;
	uint32_t count;
	struct space_verdict *verdicts; /* by class and counter */
};

static uint64_t longest_gap(const struct recurring *row)
{
	return row->recurrence.gaps.most;
}

/* The class whose longest gap stands out most comes first. */
static int by_excess(const void *a, const void *b)
{
	const struct recurring *x = a, *y = b;
	return COMPARE(y->excess, x->excess)   ?: COMPARE(longest_gap(y), longest_gap(x))
						  ?: COMPARE(x->recurrence.class, y->recurrence.class);
}

static void collect(struct listing *listing)
{
	const struct space_report *report = listing->report;
	uint32_t classes = report->classes.count;
	unsigned counters = report->model.counters.count;
	struct space_recurrence *all = space_recurrence_compute(&report->appearances, classes);
	listing->verdicts = sift_gaps(&report->sifting, all, classes);
	space_verdicts_correct(listing->verdicts, classes * counters);
	listing->rows = memory_new(classes, sizeof *listing->rows);
	for (uint32_t c = 0; c < classes; c++) {
		if (!report->listed[c] || !all[c].appearances)
			continue;
		struct recurring *row = &listing->rows[listing->count++];
		*row = (struct recurring){.recurrence = all[c], .verdicts = listing->verdicts + c * counters};
		row->gap = space_gap_read(&report->appearances, &all[c], classes);
		row->excess = all[c].gaps.median ? (double)all[c].gaps.most / (double)all[c].gaps.median : 0;
	}
	free(all);
	if (listing->count)
		qsort(listing->rows, listing->count, sizeof *listing->rows, by_excess);
}

static void add_columns(const struct listing *listing)
{
	static const struct table_heading first[] = {{"Space", COLUMN_COUNT}, {"Appearances", COLUMN_COUNT},
		{"Threads", COLUMN_COUNT}, {"Mean Period", COLUMN_TIME}, {"Median Period", COLUMN_TIME},
		{"Shortest Period", COLUMN_TIME}, {"Longest Period", COLUMN_TIME}, {"Variation", COLUMN_RATIO},
		{"Median Gap", COLUMN_TIME}, {"Longest Gap", COLUMN_TIME}, {"by Median", COLUMN_RATIO},
		{"It Began", COLUMN_TIME}, {"in", COLUMN_TEXT}};
	const struct space_counters *counters = &listing->report->model.counters;
	struct table *table = listing->table;
	table_headings(table, first, sizeof first / sizeof *first);
	for (unsigned k = 0; k < counters->count; k++) {
		const char *heading = table_text(table, "%s in It", counters->counter[k].title);
		table_group(table, heading, "", heading);
		table_column(table, space_count_format(listing->report, k));
		table_column(table, COLUMN_PERCENT);
		table_headed(table, "Verdict", COLUMN_TEXT);
	}
	table_headed(table, "Mostly", COLUMN_TEXT);
	table_headed(table, "Name", COLUMN_TEXT);
}

/* Cells about gaps; a class that never came back has none. */
static void fill_gap(const struct listing *listing, const struct recurring *row, struct cell *cell)
{
	const struct space_report *report = listing->report;
	const struct space_recurrence *recurrence = &row->recurrence;
	const struct space_counters *counters = &report->model.counters;
	const struct appearance *before = &report->appearances.all[recurrence->before];
	cell_number(&cell[0], recurrence->gaps.median);
	cell_number(&cell[1], longest_gap(row));
	if (recurrence->gaps.median)
		space_ratio_cell(&cell[2], row->excess);
	cell_number(&cell[3], before->to);
	cell_words(&cell[4], space_thread_name(report, listing->table, before->thread));
	cell += 5;
	for (unsigned k = 0; k < counters->count; k++) {
		cell_number(cell++, row->gap.counts.counted[k]);
		cell_pair(cell++, row->gap.counts.counted[k], report->appearances.total[k]);
		cell_words(cell++, space_verdict_text(listing->table, &row->verdicts[k]));
	}
	if (row->gap.most != NO_NUMBER)
		cell_words(cell,
			table_text(listing->table, "%.1f %% space %" PRIu32,
				100.0 * (double)row->gap.most_time / (double)longest_gap(row), row->gap.most + 1));
}

static void add_row(const struct listing *listing, const struct recurring *row)
{
	const struct space_report *report = listing->report;
	const struct space_recurrence *recurrence = &row->recurrence;
	const struct time_spread *periods = &recurrence->periods;
	const char *name = space_class_name(
		report->session, listing->table, &report->model, &report->classes.classes[recurrence->class]);
	struct cell *cell = table_row(listing->table, ROW_PLAIN);
	cell_number(&cell[0], recurrence->class + 1);
	cell_number(&cell[1], recurrence->appearances);
	cell_number(&cell[2], recurrence->threads);
	if (periods->count) {
		cell_number(&cell[3], (uint64_t)periods->mean);
		cell_number(&cell[4], periods->median);
		cell_number(&cell[5], periods->least);
		cell_number(&cell[6], periods->most);
		space_ratio_cell(&cell[7], periods->mean > 0 ? periods->deviation / periods->mean : 0);
		fill_gap(listing, row, &cell[8]);
	}
	cell_words(&cell[listing->table->column_count - 1], name);
}

bool command_recurrence(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct space_report report;
	struct table table = {.limited = true, .fit_times = true};
	struct listing listing = {&report, &table, 0, 0, 0};
	if (!space_report_begin(&report, session))
		return false;
	collect(&listing);
	table_preamble(&table,
		"Recurrence of code spaces by the longest gap between two appearances in a thread, beside the "
		"median gap");
	table_preamble(&table, "");
	add_columns(&listing);
	for (uint32_t r = 0; r < listing.count && (!session->limit || r < session->limit); r++)
		add_row(&listing, &listing.rows[r]);
	space_report_print(&report, &table);
	free(listing.rows);
	free(listing.verdicts);
	space_report_end(&report);
	return true;
}
