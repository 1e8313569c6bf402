/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes classes and appearances, and writes rates and verdicts. */
#include "space_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

bool space_report_begin(struct space_report *report, struct session *session)
{
	*report = (struct space_report){.session = session};
	struct space_model *model = &report->model;
	if (!space_model_begin(model, session->data, session->resolver, &session->space_rules))
		return session_error(
			session, "There are no samples in time: code spaces are between two samples of a thread");
	const struct event_filter *filter = session_filter(session);
	space_classes_compute(&report->classes, model, filter);
	appearances_read(&report->appearances, model, &report->classes, filter);
	report->order = appearances_by_class(&report->appearances, report->classes.count);
	report->listed = memory_new(report->classes.count, sizeof *report->listed);
	for (uint32_t c = 0; c < report->classes.count; c++)
		report->listed[c] = space_why_listed(report, c) != 0;
	report->sifting = (struct sifting){.appearances = &report->appearances,
		.order = &report->order,
		.counters = &model->counters,
		.table = &model->table,
		.rows = report->classes.classes,
		.classes = report->classes.count,
		.asked = report->listed};
	sifting_begin(&report->sifting);
	if (report->classes.count)
		return true;
	space_report_end(report);
	return session_error(session, "There are no two samples of one thread, or the filter keeps none");
}

void space_report_end(struct space_report *report)
{
	sifting_end(&report->sifting);
	free(report->listed);
	appearance_order_free(&report->order);
	appearances_free(&report->appearances);
	space_classes_free(&report->classes);
	space_model_free(&report->model);
}

uint32_t space_number_argument(
	struct session *session, unsigned argc, char **argv, const char *command, const char *things, uint32_t count)
{
	char *end = "";
	unsigned long number = argc ? strtoul(argv[0], &end, 10) : 0;
	if (number && !*end && number <= count)
		return (uint32_t)number;
	session_error(session, "Invalid argument to command: %s %s: %s are 1 to %" PRIu32, command, argc ? argv[0] : "",
		things, count);
	return 0;
}

const char *space_why_listed(const struct space_report *report, uint32_t class)
{
	const struct space_class *all = &report->classes.all, *row = &report->classes.classes[class];
	double limit = report->model.rules.limit;
	bool weight = space_exceeds(row->weight, all->weight, limit);
	bool time = space_exceeds(row->counts.time, all->counts.time, limit);
	enum space_kind kind = report->model.table.spaces[row->leader].kind;
	return weight && time                                           ? "weight, time"
	       : weight                                                 ? "weight"
	       : time                                                   ? "time"
	       : kind == SPACE_UNRESOLVED || kind == SPACE_INCONSISTENT ? ""
									: 0;
}

const char *space_estimates(const struct space_report *report, struct table *table)
{
	const struct sum_choice *sums = &report->appearances.sums;
	uint64_t chosen = 0;
	for (uint32_t c = 0; c < report->classes.count; c++)
		chosen += sums->of[c].chosen;
	if (chosen == sums->count)
		return 0;
	return table_text(table,
		"Of %" PRIu32 " appearances %" PRIu64 " have counts, chosen by chance in each space: "
		"sums over some of a space's appearances are estimates",
		sums->count, chosen);
}

void space_report_print(const struct space_report *report, struct table *table)
{
	const char *estimates = space_estimates(report, table);
	if (estimates)
		table_footnote(table, estimates);
	session_print(report->session, table);
}

const char *space_thread_name(const struct space_report *report, struct table *table, uint32_t thread)
{
	const struct space_thread *row = &report->appearances.threads[thread];
	int64_t value = (int64_t)report->session->data->experiments[row->experiment].number << 32 | row->number;
	return index_object_row(report->session, table, INDEX_THREAD, value);
}

enum column_format space_count_format(const struct space_report *report, unsigned counter)
{
	return report->model.counters.counter[counter].is_time ? COLUMN_TIME : COLUMN_COUNT;
}

bool space_rate_is_part(const struct space_report *report, unsigned counter)
{
	return report->model.counters.counter[counter].is_time && report->appearances.by_time[counter];
}

const char *space_rate_heading(const struct space_report *report, struct table *table, unsigned counter)
{
	const char *title = report->model.counters.counter[counter].title;
	return space_rate_is_part(report, counter)
		       ? table_text(table, "%s by Time", title)
		       : table_text(table, "%s per %s", title,
				 report->appearances.by_time[counter] ? "ms" : "1000 instr.");
}

void space_ratio_cell(struct cell *cell, double ratio)
{
	const double one = 1e6;
	if (isfinite(ratio) && ratio * one < (double)INT64_MAX)
		cell_pair(cell, (uint64_t)llround(ratio * one), (uint64_t)one);
}

double space_rate_shown(const struct space_report *report, unsigned counter, double rate)
{
	return rate * (space_rate_is_part(report, counter) ? 1 : report->appearances.by_time[counter] ? 1e6 : 1e3);
}

void space_rate_cell(const struct space_report *report, struct cell *cell, unsigned counter, double rate)
{
	space_ratio_cell(cell, space_rate_shown(report, counter, rate));
}

const char *space_verdict_text(struct table *table, const struct space_verdict *verdict)
{
	switch (verdict->judgement) {
	case JUDGED_DEFICIT:
		return "deficit";
	case JUDGED_ADVANTAGE:
		return "advantage";
	case JUDGED_TOO_FEW:
		return table_text(table, "too few appearances (%" PRIu32 ")", verdict->appearances);
	case JUDGED_CHANCE:
		return "may be chance";
	case JUDGED_LITTLE:
		return "less than 1 % of all";
	case JUDGED_USUAL:
	case JUDGED_UNKNOWN:
		break;
	}
	return "";
}
