/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command spaces: the classes of code spaces, with their shares of the weight, of the time and of what each counter counted. */
#include "command_functions.h"
#include "space_names.h"
#include "space_report.h"

#include <inttypes.h>
#include <stdlib.h>

struct listing {
	const struct space_report *report;
	struct table *table;
	const struct space_verdict *verdicts; /* by class and counter */
};

static void add_value_and_share(struct table *table, const char *heading, enum column_format format)
{
	table_group(table, heading, "", heading);
	table_column(table, format);
	table_column(table, COLUMN_PERCENT);
}

static void add_columns(const struct listing *listing)
{
	struct table *table = listing->table;
	const struct space_counters *counters = &listing->report->model.counters;
	table_headed(table, "Space", COLUMN_COUNT);
	add_value_and_share(table, "Weight", COLUMN_COUNT);
	add_value_and_share(table, "Time", COLUMN_TIME);
	table_headed(table, "Intervals", COLUMN_COUNT);
	for (unsigned i = 0; i < counters->count; i++)
		add_value_and_share(table, counters->counter[i].title, space_count_format(listing->report, i));
	table_headed(table, "Over Limit", COLUMN_TEXT);
	table_headed(table, "Verdict", COLUMN_TEXT);
	table_headed(table, "Name", COLUMN_TEXT);
}

/* number 0: none. */
static void add_row(const struct listing *listing, const struct space_class *class, uint32_t number, const char *over,
	const char *verdicts, const char *name)
{
	const struct space_class *all = &listing->report->classes.all;
	struct cell *cell = table_row(listing->table, ROW_PLAIN);
	if (number)
		cell_number(cell, number);
	cell_number(++cell, class->weight);
	cell_pair(++cell, class->weight, all->weight);
	cell_number(++cell, class->counts.time);
	cell_pair(++cell, class->counts.time, all->counts.time);
	cell_number(++cell, class->counts.occurrences);
	for (unsigned i = 0; i < listing->report->model.counters.count; i++) {
		cell_number(++cell, class->counts.counted[i]);
		cell_pair(++cell, class->counts.counted[i], all->counts.counted[i]);
	}
	cell_words(++cell, over);
	cell_words(++cell, verdicts);
	cell_words(++cell, name);
}

/* Deficits and advantages of a class: "misses: deficit, 4.94 times". */
static const char *verdicts_of(const struct listing *listing, uint32_t class)
{
	const struct space_counters *counters = &listing->report->model.counters;
	const char *text = "";
	for (unsigned k = 0; k < counters->count; k++) {
		const struct space_verdict *verdict = &listing->verdicts[class * counters->count + k];
		if (verdict->judgement < JUDGED_TOO_FEW)
			continue;
		text = table_text(listing->table, "%s%s%s: %s", text, *text ? "; " : "", counters->counter[k].title,
			space_verdict_text(listing->table, verdict));
		if (!verdict->by_share)
			text = table_text(listing->table, "%s, %.2f times", text, verdict->ratio);
	}
	return text;
}

static void add_others(const struct listing *listing, const struct space_class *shown, uint32_t count)
{
	struct space_class others = listing->report->classes.all;
	others.weight -= shown->weight;
	others.counts.time -= shown->counts.time;
	others.counts.occurrences -= shown->counts.occurrences;
	for (unsigned i = 0; i < SPACE_COUNTERS_MAX; i++)
		others.counts.counted[i] -= shown->counts.counted[i];
	if (count)
		add_row(listing, &others, 0, "", "",
			table_text(listing->table, "<%" PRIu32 " other space%s>", count, count == 1 ? "" : "s"));
}

static void add_rows(const struct listing *listing)
{
	const struct space_classes *classes = &listing->report->classes;
	struct session *session = listing->report->session;
	struct space_class shown = {0};
	uint32_t rows = 0;
	add_row(listing, &classes->all, 0, "", "", "<Total>");
	for (uint32_t c = 0; c < classes->count; c++) {
		const struct space_class *class = &classes->classes[c];
		if (!listing->report->listed[c] || (session->limit && rows >= session->limit))
			continue;
		rows++;
		add_row(listing, class, c + 1, space_why_listed(listing->report, c), verdicts_of(listing, c),
			space_class_name(session, listing->table, &listing->report->model, class));
		shown.weight += class->weight;
		shown.counts.time += class->counts.time;
		shown.counts.occurrences += class->counts.occurrences;
		for (unsigned i = 0; i < SPACE_COUNTERS_MAX; i++)
			shown.counts.counted[i] += class->counts.counted[i];
	}
	add_others(listing, &shown, classes->count - rows);
}

static void add_unknown(const struct listing *listing)
{
	const struct space_counts *all = &listing->report->classes.all.counts;
	for (unsigned i = 0; i < listing->report->model.counters.count; i++)
		if (all->unknown[i])
			table_footnote(listing->table,
				table_text(listing->table, "%s: not known in %" PRIu64 " of %" PRIu64 " intervals",
					listing->report->model.counters.counter[i].title, all->unknown[i],
					all->occurrences));
}

static void show(const struct listing *listing)
{
	struct table *table = listing->table;
	uint32_t threads = listing->report->classes.threads;
	table_preamble(
		table, table_text(table,
			       "Code spaces between two samples of a thread, of %" PRIu32 " thread%s, by weight: "
			       "instructions times occurrences",
			       threads, threads == 1 ? "" : "s"));
	table_preamble(table, "");
	add_columns(listing);
	add_rows(listing);
	add_unknown(listing);
	space_report_print(listing->report, table);
}

bool command_spaces(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct space_report report;
	struct table table = {.limited = true};
	if (!space_report_begin(&report, session))
		return false;
	struct space_verdict *verdicts = sift_classes(&report.sifting);
	space_verdicts_correct(verdicts, report.classes.count * report.model.counters.count);
	show(&(struct listing){&report, &table, verdicts});
	free(verdicts);
	space_report_end(&report);
	return true;
}
