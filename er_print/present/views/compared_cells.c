/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Differences and ratios of sums, with the marks of those that sampling alone may have made. */
#include "compared_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fractions are kept in so many parts. */
#define PARTS 1000000000u

struct metric_item compared_item(struct session *session, const struct metric_item *item, unsigned group)
{
	struct metric_item own = *item;
	if (own.type == ITEM_METRIC)
		own.metric = session_group_metric(session, item->metric, group);
	return own;
}

static bool is_ratio(struct session *session, const struct metric_item *item)
{
	return session_sums(session)->metrics->rows[item->metric].unit == METRIC_RATIO;
}

static bool is_place(struct session *session, const struct metric_item *item)
{
	return balance_is_place(session_table(session)->rows[item->metric].balance.statistic);
}

struct sampled_sum compared_sum(
	struct session *session, const struct metric_values *values, const struct metric_item *item, unsigned group)
{
	struct metric_item own = compared_item(session, item, group);
	struct metric_value value = metric_value_of(session_sums(session), values, &own);
	if (is_ratio(session, &own))
		return (struct sampled_sum){
			.value = value.whole ? (double)value.number / (double)value.whole : 0, .scale = 1};
	return (struct sampled_sum){.value = (double)value.number,
		.total = (double)session_sums(session)->total[own.metric],
		.sample = session_sample_size(session, own.metric),
		.scale = session_group_scale(session, group),
		.share = session_scale_is_share(session, item->metric)};
}

enum column_format compared_format(const struct session *session, unsigned group, enum column_format format)
{
	return group && session->comparison.mode == COMPARE_RATIO && format != COLUMN_CODE ? COLUMN_RATIO : format;
}

const char *compared_heading(const struct session *session, struct table *table, unsigned group, const char *heading)
{
	enum compare_mode mode = session->comparison.mode;
	return group && mode != COMPARE_ON ? table_text(table, "%s %s", heading, compare_mode_name(mode)) : heading;
}

const char *compared_key(
	const struct session *session, struct table *table, const char *key, unsigned change, unsigned group)
{
	enum compare_mode mode = session->comparison.mode;
	bool changed = change && mode != COMPARE_ON;
	return table_text(
		table, "%s@%u%s%s", key, group + 1, changed ? "." : "", changed ? compare_mode_name(mode) : "");
}

/* A number of a group as it is shown: scaled, and cycles as time where that is asked for. */
static uint64_t shown_number(
	struct session *session, const struct metric_item *own, unsigned show, uint64_t number, unsigned group)
{
	const struct metric *row = &session_sums(session)->metrics->rows[own->metric];
	double scale = session_group_scale(session, group);
	uint64_t scaled = scale == 1 ? number : (uint64_t)((double)number * scale + 0.5);
	return show == SHOW_TIME && row->unit == METRIC_CYCLES ? metric_nanoseconds(row, scaled) : scaled;
}

/* A fraction in parts; 0 of 0 is 0. */
static uint64_t in_parts(struct metric_value value)
{
	return value.whole ? (uint64_t)((double)value.number / (double)value.whole * PARTS + 0.5) : 0;
}

/* Rows whose sums are 0 in both have no change to be judged. */
static void judge(struct cell *cell, const struct sampled_sum *before, const struct sampled_sum *after, double unit)
{
	cell->error = difference_error(before, after) * unit;
	cell->within_error = difference_within_error(before, after);
}

/* Percentages are shares of each group's own total. */
static void as_share(struct sampled_sum *sum)
{
	sum->scale = sum->total > 0 ? 1 / sum->total : 0;
	sum->share = true;
}

static double unit_of(struct session *session, const struct metric_item *own, unsigned show)
{
	const struct metric *row = &session_sums(session)->metrics->rows[own->metric];
	switch (row->unit) {
	case METRIC_NANOSECONDS:
		return 1e-9;
	case METRIC_DECIMAL:
		return 1e-6;
	case METRIC_CYCLES:
		return show == SHOW_TIME && row->rate ? 1e-3 / (double)row->rate : 1;
	default:
		return 1;
	}
}

/* A number of the first group and of another, both in one unit. */
struct pair {
	uint64_t before, after;
	bool fractions;
};

static struct pair pair_of(struct session *session, const struct metric_item *item, unsigned show,
	const struct metric_values *values, unsigned group)
{
	struct metric_item first = compared_item(session, item, 0), own = compared_item(session, item, group);
	struct metric_value before = metric_value_of(session_sums(session), values, &first);
	struct metric_value after = metric_value_of(session_sums(session), values, &own);
	if (show == SHOW_PERCENT || is_ratio(session, &own))
		return (struct pair){in_parts(before), in_parts(after), true};
	return (struct pair){shown_number(session, &first, show, before.number, 0),
		shown_number(session, &own, show, after.number, group), false};
}

static void fill_change(struct cell *cell, const struct pair *pair, bool as_ratio)
{
	if (as_ratio) {
		cell_pair(cell, pair->after, pair->before);
		cell->change = TIMES;
		return;
	}
	bool less = pair->after < pair->before;
	cell_pair(cell, less ? pair->before - pair->after : pair->after - pair->before, pair->fractions ? PARTS : 0);
	cell->change = !cell->number ? NO_CHANGE : less ? LESS : MORE;
}

void compared_number(const struct session *session, struct cell *cell, enum column_format format,
	const struct cell *before, const struct cell *after, unsigned group)
{
	bool fraction = format == COLUMN_PERCENT || format == COLUMN_RATIO;
	struct pair pair = {before->number, after->number, fraction};
	if (!group || session->comparison.mode == COMPARE_ON) {
		cell_pair(cell, after->number, after->whole);
		return;
	}
	if (fraction) {
		pair.before = in_parts((struct metric_value){before->number, before->whole});
		pair.after = in_parts((struct metric_value){after->number, after->whole});
	}
	fill_change(cell, &pair, session->comparison.mode == COMPARE_RATIO);
}

void compared_cell(struct session *session, struct cell *cell, const struct metric_item *item, unsigned show,
	const struct metric_values *values, unsigned group)
{
	struct metric_item own = compared_item(session, item, group);
	struct metric_value value = metric_value_of(session_sums(session), values, &own);
	bool fraction = show == SHOW_PERCENT || is_ratio(session, &own);
	enum compare_mode mode = session->comparison.mode;
	if (is_place(session, item)) {
		cell_words(cell, session_balance_member(session, item->metric, value.number));
		return;
	}
	if (!group || mode == COMPARE_ON) {
		cell_pair(cell, fraction ? value.number : shown_number(session, &own, show, value.number, group),
			value.whole);
		return;
	}
	struct pair pair = pair_of(session, item, show, values, group);
	struct sampled_sum before = compared_sum(session, values, item, 0);
	struct sampled_sum after = compared_sum(session, values, item, group);
	fill_change(cell, &pair, mode == COMPARE_RATIO);
	if (show == SHOW_PERCENT) {
		as_share(&before);
		as_share(&after);
	}
	if (!is_ratio(session, &own))
		judge(cell, &before, &after, show == SHOW_PERCENT ? 100 : unit_of(session, &own, show));
}

double compared_change(struct session *session, const struct metric_item *item, const struct metric_values *values)
{
	double largest = 0;
	struct sampled_sum before = compared_sum(session, values, item, 0);
	for (unsigned g = 1; g < session_groups(session); g++) {
		struct sampled_sum after = compared_sum(session, values, item, g);
		largest = fmax(largest, fabs(difference_of(&before, &after)));
	}
	return largest;
}
