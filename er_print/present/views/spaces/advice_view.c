/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command advice: the deficits that the siftings of code spaces find, with the numbers that say so and what to try. */
#include "command_functions.h"
#include "space_events.h"
#include "space_findings.h"
#include "space_names.h"
#include "space_report.h"

#include <inttypes.h>
#include <stdlib.h>

struct advice {
	const struct space_report *report;
	struct table *table;
	struct space_findings findings;
};

static const char *class_name(const struct advice *advice, uint32_t class)
{
	const struct space_report *report = advice->report;
	return space_class_name(report->session, advice->table, &report->model, &report->classes.classes[class]);
}

/* "space 2, work [0x40,0x60)" */
static const char *reference(const struct advice *advice, uint32_t class)
{
	return table_text(advice->table, "space %" PRIu32 ", %s", class + 1, class_name(advice, class));
}

static const char *function_name(const struct advice *advice, uint32_t class)
{
	return session_plain_name(
		advice->report->session, advice->table, sifting_function(&advice->report->sifting, class));
}

/* Those that are listed: "1, 2, 5" */
static const char *spaces_of_function(const struct advice *advice, uint32_t class)
{
	const struct sifting *sifting = &advice->report->sifting;
	const char *text = "";
	for (uint32_t c = class; c < sifting->classes; c++)
		if (sifting->asked[c] && sifting_function(sifting, c) == sifting_function(sifting, class))
			text = table_text(advice->table, "%s%s%" PRIu32, text, *text ? ", " : "", c + 1);
	return text;
}

/* Where the deficit is. */
static const char *place_of(const struct advice *advice, const struct space_finding *finding)
{
	struct table *table = advice->table;
	const char *own = reference(advice, finding->class);
	switch (finding->kind) {
	case FINDING_THREAD:
		return table_text(table, "%s, in %s", own, space_thread_name(advice->report, table, finding->other));
	case FINDING_GAP:
		return table_text(table, "the longest gap of %s", own);
	case FINDING_NEIGHBOUR:
		if (finding->other == NO_NUMBER)
			return table_text(table, "%s, where samples %s", own, finding->follows ? "begin" : "end");
		return table_text(table, "%s, %s %s", own, finding->follows ? "after" : "before",
			reference(advice, finding->other));
	case FINDING_FUNCTION:
		return table_text(table, "all spaces of %s (%s), above all %s", function_name(advice, finding->class),
			spaces_of_function(advice, finding->class), own);
	case FINDING_SPACE:
		break;
	}
	return own;
}

static const char *beside_of(const struct space_finding *finding)
{
	static const char *const texts[] = {[FINDING_SPACE] = "the whole program",
		[FINDING_FUNCTION] = "the rest of the program",
		[FINDING_THREAD] = "its other threads",
		[FINDING_GAP] = "the rest of the run",
		[FINDING_NEIGHBOUR] = "the mean of the space"};
	return texts[finding->kind];
}

static const char *title_of(const struct advice *advice, const struct space_finding *finding)
{
	return advice->report->model.counters.counter[finding->counter].title;
}

/* The numbers that led to the finding. */
static const char *numbers_of(const struct advice *advice, const struct space_finding *finding)
{
	struct table *table = advice->table;
	const struct space_report *report = advice->report;
	const char *title = title_of(advice, finding);
	bool part = space_rate_is_part(report, finding->counter);
	double rate = space_rate_shown(report, finding->counter, finding->verdict.rate);
	double other = space_rate_shown(report, finding->counter, finding->verdict.other_rate);
	if (finding->verdict.by_share)
		return table_text(table, "%.1f %% of all %s, %.3f ms each time; %" PRIu32 " appearances",
			100 * finding->share, title,
			(double)finding->verdict.rated / 1e6 / finding->verdict.appearances,
			finding->verdict.appearances);
	const char *text =
		part ? table_text(table, "%.1f %% of its time is %s", 100 * rate, title)
		     : table_text(table, "%.3f %s", rate, space_rate_heading(report, table, finding->counter));
	text = table_text(table,
		part ? "%s, %.2f times that of %s (%.1f %%); %.1f %% of all %s %s"
		     : "%s, %.2f times that of %s (%.3f); %.1f %% of all %s %s",
		text, finding->verdict.ratio, beside_of(finding), part ? 100 * other : other, 100 * finding->share,
		title,
		finding->verdict.excess <= 0 ? "would come beside that"
		: part                       ? "is more than that"
					     : "are more than that");
	if (finding->kind == FINDING_NEIGHBOUR && finding->follows)
		text = table_text(
			table, "%s; %.1f %% of those there are in first intervals", text, 100 * finding->first_share);
	return table_text(table, "%s; %" PRIu32 " appearances", text, finding->verdict.appearances);
}

/* The direction in which the program may become better. */
static const char *direction_of(const struct advice *advice, const struct space_finding *finding)
{
	struct table *table = advice->table;
	const struct space_model *model = &advice->report->model;
	const struct code_space *space = &model->table.spaces[advice->report->classes.classes[finding->class].leader];
	const struct space_counter *counter = &model->counters.counter[finding->counter];
	const char *of_state = counter->is_time && space->state != SPACE_RAN ? space_state_direction(space->state) : "";
	const char *general = *of_state ? of_state : space_event_of(counter->name).direction;
	if (finding->kind == FINDING_THREAD)
		return "the code is the same, so its data or its place differs: compare what the threads work on, and "
		       "their CPUs and memory nodes";
	if (finding->kind == FINDING_GAP && finding->other != NO_NUMBER)
		return table_text(table, "what fills the gap delays the recurring step: %s has most of it",
			reference(advice, finding->other));
	if (finding->kind == FINDING_NEIGHBOUR && finding->other != NO_NUMBER && finding->follows)
		return table_text(table,
			"space %" PRIu32
			" leaves a cold state: fuse, reorder or separate the two, or give it a thread of "
			"its own",
			finding->other + 1);
	return *general ? general : "look at its lines: source and disasm show them";
}

static void add_row(const struct advice *advice, const struct space_finding *finding)
{
	static const char *const kinds[] = {[FINDING_SPACE] = "space",
		[FINDING_FUNCTION] = "function",
		[FINDING_THREAD] = "thread",
		[FINDING_GAP] = "gap",
		[FINDING_NEIGHBOUR] = "neighbour"};
	struct table *table = advice->table;
	const char *place = place_of(advice, finding), *numbers = numbers_of(advice, finding);
	const char *direction = direction_of(advice, finding), *title = title_of(advice, finding);
	const char *name = class_name(advice, finding->class);
	const double whole = 1e6;
	struct cell *cell = table_row(table, ROW_PLAIN);
	cell_pair(&cell[0], (uint64_t)(finding->share * whole), (uint64_t)whole);
	cell_words(&cell[1], kinds[finding->kind]);
	cell_words(&cell[2], title);
	cell_number(&cell[3], finding->class + 1);
	cell_words(&cell[4], place);
	cell_words(&cell[5], numbers);
	cell_words(&cell[6], direction);
	cell_words(&cell[7], name);
	table_line(table, "\n%zu. %s in %s\n   %s\n   Try: %s\n", table->row_count, title, place, numbers, direction);
}

/* How many verdicts there were, and why the others are no deficits. */
static const char *summary(const struct advice *advice)
{
	const uint32_t *judged = advice->findings.judged;
	uint32_t all = 0;
	for (unsigned j = JUDGED_USUAL; j <= JUDGED_ADVANTAGE; j++)
		all += judged[j];
	return table_text(advice->table,
		"%" PRIu32 " rates were compared: %" PRIu32 " deficits, %" PRIu32 " advantages; %" PRIu32
		" differ by less than a factor of 1.5, %" PRIu32 " by less than 1 %% of all events, %" PRIu32
		" have too few appearances, %" PRIu32 " may be chance",
		all, judged[JUDGED_DEFICIT], judged[JUDGED_ADVANTAGE], judged[JUDGED_USUAL], judged[JUDGED_LITTLE],
		judged[JUDGED_TOO_FEW], judged[JUDGED_CHANCE]);
}

bool command_advice(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	static const struct table_heading headings[] = {{"Share", COLUMN_PERCENT}, {"Kind", COLUMN_TEXT},
		{"Counter", COLUMN_TEXT}, {"Space", COLUMN_COUNT}, {"Place", COLUMN_TEXT}, {"Numbers", COLUMN_TEXT},
		{"Direction", COLUMN_TEXT}, {"Name", COLUMN_TEXT}};
	struct space_report report;
	struct table table = {.limited = true};
	struct advice advice = {.report = &report, .table = &table};
	if (!space_report_begin(&report, session))
		return false;
	space_findings_compute(&advice.findings, &report.sifting);
	const char *said = summary(&advice), *estimates = space_estimates(&report, &table);
	table.formed = table_text(&table, "Deficits of code spaces, by their share of all events\n%s\n%s%s", said,
		estimates ? estimates : "", estimates ? "\n" : "");
	table_preamble(&table, "Deficits of code spaces, by their share of all events");
	table_preamble(&table, "");
	table_footnote(&table, said);
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	for (uint32_t i = 0; i < advice.findings.count && (!session->limit || i < session->limit); i++)
		add_row(&advice, &advice.findings.all[i]);
	space_report_print(&report, &table);
	space_findings_free(&advice.findings);
	space_report_end(&report);
	return true;
}
