/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command folding: at which part of the appearances of a code space its counters count. */
#include "command_functions.h"
#include "space_folding.h"
#include "space_names.h"
#include "space_report.h"

#include <inttypes.h>

static void add_title(
	const struct space_report *report, struct table *table, uint32_t class, const struct space_folding *folding)
{
	table_preamble(table,
		table_text(table, "Space %" PRIu32 ": %s", class + 1,
			space_class_name(report->session, table, &report->model, &report->classes.classes[class])));
	table_preamble(
		table, table_text(table,
			       "%" PRIu32
			       " appearances with two intervals or more, %.3f ms each on average, laid on one another",
			       folding->appearances, (double)folding->time / folding->appearances / 1e6));
	table_preamble(table, "");
}

static void add_columns(const struct space_report *report, struct table *table)
{
	const struct space_counters *counters = &report->model.counters;
	for (unsigned k = 0; k < counters->count; k++) {
		table_group(table, counters->counter[k].title, "", counters->counter[k].title);
		table_column(table, space_count_format(report, k));
		table_column(table, COLUMN_PERCENT);
		table_headed(table, space_rate_heading(report, table, k), COLUMN_RATIO);
		table_headed(table, "by Mean", COLUMN_RATIO);
	}
	table_headed(table, "Part of an Appearance", COLUMN_TEXT);
}

static struct appearance_sum sum_of_parts(const struct space_folding *folding, unsigned counter)
{
	struct appearance_sum all = {0};
	for (unsigned part = 0; part < FOLDING_PARTS; part++)
		appearance_sum_add(&all, &folding->sums[part][counter]);
	return all;
}

static void add_part(
	const struct space_report *report, struct table *table, const struct space_folding *folding, unsigned part)
{
	struct cell *cell = table_row(table, ROW_PLAIN);
	for (unsigned k = 0; k < report->model.counters.count; k++, cell += 4) {
		const struct appearance_sum *own = &folding->sums[part][k];
		struct appearance_sum all = sum_of_parts(folding, k);
		cell_number(&cell[0], whole_number(own->counted));
		cell_pair(&cell[1], whole_number(own->counted), whole_number(all.counted));
		space_rate_cell(report, &cell[2], k, appearance_sum_rate(own));
		if (all.rated)
			space_ratio_cell(&cell[3], appearance_sum_rate(own) / appearance_sum_rate(&all));
	}
	cell_words(
		cell, table_text(table, "%u to %u %%", 100 * part / FOLDING_PARTS, 100 * (part + 1) / FOLDING_PARTS));
}

static void show(struct space_report *report, uint32_t class, const struct space_folding *folding)
{
	struct table table = {.fit_times = true};
	add_title(report, &table, class, folding);
	add_columns(report, &table);
	for (unsigned part = 0; part < FOLDING_PARTS; part++)
		add_part(report, &table, folding, part);
	session_print(report->session, &table);
}

/* False: the class has too few appearances, and the session's user was told so. */
static bool fold(struct space_report *report, uint32_t class)
{
	struct space_folding folding;
	const struct event_filter *filter = session_filter(report->session);
	space_folding_read(&folding, &report->model, &report->classes, &report->appearances, filter, class);
	if (folding.appearances < FOLDING_APPEARANCES_LEAST)
		return session_error(report->session,
			"folding: space %" PRIu32 " has %" PRIu32
			" appearances with two intervals or more, and there must be %u at least",
			class + 1, folding.appearances, FOLDING_APPEARANCES_LEAST);
	show(report, class, &folding);
	return true;
}

bool command_folding(struct session *session, unsigned argc, char **argv)
{
	struct space_report report;
	if (!space_report_begin(&report, session))
		return false;
	uint32_t number = space_number_argument(session, argc, argv, "folding", "spaces", report.classes.count);
	bool good = number && fold(&report, number - 1);
	space_report_end(&report);
	return good;
}
