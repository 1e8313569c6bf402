/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists appearances with what was counted in them, when and where they were, and what was before them. */
#include "extremes_view.h"
#include "search.h"
#include "space_extremes.h"
#include "space_names.h"

#include <inttypes.h>

struct listing {
	const struct space_report *report;
	struct table *table;
	uint32_t first, count; /* appearances of the class, in the report's order */
};

static void add_columns(struct table *table)
{
	static const struct table_heading headings[] = {{"Counter", COLUMN_TEXT}, {"Rank", COLUMN_TEXT},
		{"Rate", COLUMN_RATIO}, {"Appearance", COLUMN_COUNT}, {"Intervals", COLUMN_COUNT},
		{"It Began", COLUMN_TIME}, {"Time", COLUMN_TIME}, {"After", COLUMN_TEXT}, {"Name", COLUMN_TEXT}};
	table_preamble(table, "Its appearances with the worst rates, and those with the best");
	table_preamble(table, "");
	table_headings(table, headings, sizeof headings / sizeof *headings);
}

static const char *before_of(const struct listing *listing, uint32_t appearance)
{
	const struct space_report *report = listing->report;
	uint32_t class = appearance_neighbour(&report->appearances, appearance, true);
	return class == NO_NUMBER ? "<begin>"
				  : table_text(listing->table, "%" PRIu32 " %s", class + 1,
					    space_class_name(report->session, listing->table, &report->model,
						    &report->classes.classes[class]));
}

/* Its place among the appearances of the class, from 1. */
static uint32_t number_of(const struct listing *listing, uint32_t appearance)
{
	const uint32_t *order = listing->report->order.order + listing->first;
	return 1 + (uint32_t)FIRST_WHERE(i, listing->count, order[i] >= appearance);
}

static void add_row(
	const struct listing *listing, unsigned counter, const char *rank, const struct space_extreme *extreme)
{
	const struct space_report *report = listing->report;
	const struct appearance *own = &report->appearances.all[extreme->appearance];
	const char *name = space_thread_name(report, listing->table, own->thread);
	const char *before = before_of(listing, extreme->appearance);
	const char *heading = space_rate_heading(report, listing->table, counter);
	struct cell *cell = table_row(listing->table, ROW_PLAIN);
	cell_words(&cell[0], heading);
	cell_words(&cell[1], rank);
	space_rate_cell(report, &cell[2], counter, extreme->rate);
	cell_number(&cell[3], number_of(listing, extreme->appearance));
	cell_number(&cell[4], own->intervals);
	cell_number(&cell[5], own->from);
	cell_number(&cell[6], own->to - own->from);
	cell_words(&cell[7], before);
	cell_words(&cell[8], name);
}

void extremes_view_show(const struct space_report *report, uint32_t class)
{
	struct table table = {.limited = true, .fit_times = true};
	uint32_t first = report->order.first[class], count = report->order.first[class + 1] - first;
	const struct listing listing = {report, &table, first, count};
	add_columns(&table);
	for (unsigned k = 0; k < report->model.counters.count; k++) {
		struct space_event event = sifting_event(&report->sifting, k);
		struct space_extremes extremes;
		if (!event.is_judged)
			continue;
		space_extremes_find(&extremes, &report->appearances, report->order.order + first, count, k, event);
		for (uint32_t i = 0; i < extremes.worst_count; i++)
			add_row(&listing, k, "worst", &extremes.worst[i]);
		for (uint32_t i = 0; i < extremes.best_count; i++)
			add_row(&listing, k, "best", &extremes.best[i]);
	}
	if (table.row_count) {
		session_another_report(report->session);
		session_print(report->session, &table);
	} else {
		table_free(&table);
	}
}
