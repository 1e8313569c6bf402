/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds and names the subject of a picture. */
#include "picture_subject.h"
#include "balance_tree.h"
#include "chart_subject.h"
#include "flamegraph.h"
#include "picture_value.h"
#include "storage.h"
#include "tree_by_time.h"
#include "tree_shapes.h"
#include "version.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A page adds up anew what its reader chooses, which a balance does not allow, and so does a difference. */
static bool can_show_balance(struct session *session, const struct metric *row, bool still)
{
	if (balance_is_place(row->balance.statistic))
		return session_error(session, "picture by=%s: no colours tell %s", row->name, row->title);
	return (still && session_groups(session) == 1) ||
	       session_error(session,
		       "picture by=%s: a balance colours flame graphs, icicles and sandwiches as SVG or PNG only, and "
		       "no difference",
		       row->name);
}

/* The values that colours show, where they are no sums. */
static void fill_balance(struct session *session, struct picture_subject *subject)
{
	if (!session_table(session)->rows[subject->scale].balance.statistic || session_groups(session) > 1)
		return;
	if (subject->owned)
		balance_fill_tree(subject->owned, subject->scale);
	else
		session_fill_balance(session, subject->scale);
}

/* Whether the sort metric can be drawn, and the metric of the scale is there. */
static bool choose_metrics(struct session *session, bool still, struct picture_subject *subject)
{
	if (session->sort.item.type != ITEM_METRIC)
		return session_error(session, "%s draws the metric that lists are sorted by: choose one with sort",
			session->command);
	session_metrics_for(session, session->picture.by);
	const struct metric_table *table = session_table(session);
	const struct metric *row = &table->rows[session->sort.item.metric];
	if (row->unit == METRIC_RATIO)
		return session_error(
			session, "%s is a ratio and has no sum to draw: choose another metric with sort", row->name);
	if (row->balance.statistic)
		return session_error(session,
			"%s does not add up along call paths, so that it cannot be drawn: choose another metric with "
			"sort",
			row->name);
	subject->metric = subject->scale = session->sort.item.metric;
	if (!session->picture.by)
		return true;
	int by = metric_find(table, session->picture.by);
	if (by < 0 || !session_metrics(session).recorded[by])
		return session_error(session, "picture by=%s: %s; metric_list lists the metrics", session->picture.by,
			by < 0 ? "there is no such metric" : "no data recorded for this metric");
	if (table->rows[by].balance.statistic && !can_show_balance(session, &table->rows[by], still))
		return false;
	subject->scale = (unsigned)by;
	session_want_all(session);
	return true;
}

/* Counts the experiments; values are means over them, if that is set. A part that is one process has one. */
static bool find_mean(struct session *session, struct picture_subject *subject)
{
	struct picture_setting *setting = &session->picture;
	const struct data *data = session->data;
	bool is_process = setting->each == PICTURE_EACH_PROCESS || setting->each == PICTURE_EACH_THREAD;
	subject->experiments = is_process;
	for (uint32_t e = 0; e < data->experiment_count && !is_process; e++)
		subject->experiments += data->experiments[e].founder == e && session_shows_experiment(session, e) &&
					session_group_has(session, subject->group, e);
	setting->mean_of = setting->mean ? subject->experiments : 0;
	if (setting->mean_of > 1 && (picture_subject_is_difference(subject) || subject->chart))
		return session_error(session, "picture experiments=mean: %s has no mean",
			subject->spaces  ? "a chart"
			: subject->chart ? "a flame chart"
					 : "the picture of a difference");
	return true;
}

/* The tree in the shape that the settings tree and picture ask for; a page's reader chooses that. */
static void find_tree(struct session *session, bool page, struct picture_subject *subject)
{
	const struct path_tree *tree = session_merged(session);
	subject->tree = tree;
	if (page)
		return;
	struct path_tree *joined = session->picture.joined ? path_tree_joined(tree) : 0;
	subject->owned = joined;
	if (session->tree_setting.bottom_up) {
		subject->owned = path_tree_inverted(joined ? joined : tree);
		path_tree_free(joined);
	}
	if (subject->owned)
		subject->tree = subject->owned;
}

/* Sorts siblings by time, if that is set. */
static bool sort_by_time(struct session *session, bool page, unsigned metric, struct picture_subject *subject)
{
	const struct path_shape shape = {session->picture.joined, session->tree_setting.bottom_up};
	if (session->picture.order != PICTURE_BY_TIME)
		return true;
	if (page || subject->difference)
		return session_error(session, "picture order=time: %s has no such order",
			page ? "a page" : "the picture of a difference");
	struct metric_events events =
		metric_events_read(session->data, session_table(session), metric, session_filter(session));
	struct path_tree *sorted = tree_by_time(subject->tree, &events, session_tree(session), &shape);
	path_tree_free(subject->owned);
	subject->tree = subject->owned = sorted;
	free(events.all);
	return true;
}

static struct difference_side side_of(struct session *session, unsigned metric, unsigned group)
{
	unsigned row = session_group_metric(session, metric, group);
	return (struct difference_side){.metric = row,
		.scale = session_group_scale(session, group),
		.sample = session_sample_size(session, row),
		.share = session_scale_is_share(session, metric)};
}

static bool can_compare(struct session *session)
{
	unsigned groups = session_groups(session);
	return groups <= 2 ||
	       session_error(session,
		       "%s draws the difference of two experiments or groups, and %u are compared: load two, or say "
		       "compare off before it",
		       session->command, groups);
}

/* The rows of both groups, for a page, whose script makes the difference. */
static void find_sides(struct session *session, struct picture_subject *subject)
{
	const struct path_tree *tree = subject->tree;
	unsigned count = session_table(session)->count, drawn = subject->metric;
	subject->metrics = memory_new(2 * (size_t)count, sizeof *subject->metrics);
	subject->sides = memory_new(2 * (size_t)count, sizeof *subject->sides);
	for (unsigned m = 0; m < count; m++) {
		const struct difference_side sides[] = {side_of(session, m, 0), side_of(session, m, 1)};
		bool has[2] = {false, false};
		for (int i = 0; i < 2; i++)
			has[i] = tree->inclusive[sides[i].metric] && tree->inclusive[sides[i].metric][0];
		if (m == drawn)
			subject->metric = subject->scale = sides[has[1]].metric;
		for (int i = 0; i < 2 && (has[0] || has[1]) && session_table(session)->rows[m].unit != METRIC_RATIO;
			i++) {
			subject->sides[subject->metric_count] = sides[i];
			subject->metrics[subject->metric_count++] = sides[i].metric;
		}
	}
}

/* The rows of one group, or the tree of the difference of both. */
static void find_group(struct session *session, bool page, struct picture_subject *subject)
{
	static const enum difference_width widths[PICTURE_DIFFERENCE_COUNT] = {
		[PICTURE_MEAN] = WIDTH_MEAN, [PICTURE_CHANGE] = WIDTH_CHANGE, [PICTURE_BESIDE] = WIDTH_CHANGE};
	enum picture_difference shown = session->picture.difference;
	if (shown == PICTURE_BEFORE || shown == PICTURE_AFTER) {
		subject->group = shown == PICTURE_AFTER ? 2 : 1;
		subject->metric = session_group_metric(session, subject->metric, subject->group - 1);
		subject->scale = session_group_metric(session, subject->scale, subject->group - 1);
		return;
	}
	if (page) {
		find_sides(session, subject);
		return;
	}
	struct difference_side before = side_of(session, subject->metric, 0),
			       after = side_of(session, subject->metric, 1);
	subject->difference = difference_tree_create(subject->tree, &before, &after, widths[shown]);
	subject->tree = subject->difference->tree;
	subject->metric = subject->scale = DIFFERENCE_DRAWN;
}

static void find_metrics(struct picture_subject *subject)
{
	if (subject->sides)
		return;
	const struct path_tree *tree = subject->tree;
	subject->metrics = memory_new(tree->metrics->count, sizeof *subject->metrics);
	for (unsigned m = 0; m < tree->metrics->count; m++) {
		const struct metric *row = &tree->metrics->rows[m];
		bool of_group = !subject->group || row->group == subject->group;
		if (of_group && !metric_is_derived(row) && !row->balance.member && tree->inclusive[m] &&
			tree->inclusive[m][0])
			subject->metrics[subject->metric_count++] = m;
	}
}

bool picture_subject_find(struct session *session, enum picture_shape shape, bool page, struct picture_subject *subject)
{
	struct error error = {""};
	*subject = (struct picture_subject){0};
	if (shape == SHAPE_SPACECHART)
		return space_subject_find(session, page, subject) && find_mean(session, subject);
	if ((shape != SHAPE_FLAMECHART && !can_compare(session)) ||
		!choose_metrics(session, !page && shape != SHAPE_FLAMECHART, subject))
		return false;
	if (shape == SHAPE_FLAMECHART)
		return chart_subject_find(session, page, subject) && find_mean(session, subject);
	find_tree(session, page, subject);
	unsigned metric = subject->metric;
	if (session_groups(session) > 1)
		find_group(session, page, subject);
	if (!sort_by_time(session, page, metric, subject))
		return false;
	if (!find_mean(session, subject))
		return false;
	fill_balance(session, subject);
	find_metrics(subject);
	subject->total = subject->tree->inclusive[subject->metric] ? subject->tree->inclusive[subject->metric][0] : 0;
	const struct difference_tree *difference = subject->difference;
	bool both = difference && difference->tree->inclusive[DIFFERENCE_AFTER][0];
	if (flamegraph_has_total(subject->tree, subject->metric, &error) ||
		(both && session->picture.difference == PICTURE_BESIDE))
		return true;
	if (both)
		return session_error(session, "no picture of the change of %s: nothing has changed",
			subject->tree->metrics->rows[subject->metric].title);
	return session_error(session, "%s", error.text);
}

/* The tree around a function; before that, the whole tree, recursion joined if that is set. */
static bool find_around(struct session *session, uint32_t function, struct picture_subject *subject)
{
	struct path_tree *joined = session->picture.joined ? path_tree_joined(subject->tree) : 0;
	uint64_t *const *sums = subject->tree->inclusive;
	subject->whole = sums[subject->metric] ? sums[subject->metric][0] : 0;
	subject->owned = path_tree_around(joined ? joined : subject->tree, function, &subject->callees);
	subject->tree = subject->owned;
	path_tree_free(joined);
	sums = subject->tree->inclusive;
	subject->total = sums[subject->metric] ? sums[subject->metric][1] : 0;
	fill_balance(session, subject);
	struct table texts = {0};
	bool has = subject->total || session_error(session, "no picture of %s around %s: it has none",
					     subject->tree->metrics->rows[subject->metric].title,
					     session_function_name(session, &texts, function));
	table_free(&texts);
	return has;
}

bool picture_subject_around(struct session *session, uint32_t function, bool page, struct picture_subject *subject)
{
	enum picture_difference shown = session->picture.difference;
	*subject = (struct picture_subject){0};
	if (session_groups(session) > 1 && !page && shown != PICTURE_BEFORE && shown != PICTURE_AFTER)
		return session_error(
			session, "%s draws no difference: say picture difference=before or after", session->command);
	if (session->picture.order == PICTURE_BY_TIME)
		return session_error(session, "picture order=time: %s has no such order", session->command);
	if (!can_compare(session) || !choose_metrics(session, !page, subject))
		return false;
	subject->tree = session_merged(session);
	if (session_groups(session) > 1)
		find_group(session, page, subject);
	if (!find_mean(session, subject))
		return false;
	find_metrics(subject);
	if (!page)
		return find_around(session, function, subject);
	struct error error = {""};
	subject->total = subject->tree->inclusive[subject->metric] ? subject->tree->inclusive[subject->metric][0] : 0;
	return flamegraph_has_total(subject->tree, subject->metric, &error) || session_error(session, "%s", error.text);
}

void picture_subject_free(struct picture_subject *subject)
{
	difference_tree_free(subject->difference);
	time_chart_free(subject->chart);
	space_subject_free(subject->spaces);
	path_tree_free(subject->owned);
	free(subject->metrics);
	free(subject->sides);
}

/* The name of a founder; of an imported file without the process that is its first: "x.txt (pid 7)". */
static const char *founder_name(const struct loaded_experiment *founder, struct table *texts)
{
	const char *name = founder->file->name, *pid = founder->imported.what ? strstr(name, " (pid ") : 0;
	return pid ? table_text(texts, "%.*s", (int)(pid - name), name) : name;
}

/* ", a.er, b.er", or which is before and which after. */
static const char *experiments_of(struct session *session, const struct picture_subject *subject, struct table *texts)
{
	const struct data *data = session->data;
	const char *text = "";
	if (subject->group)
		return table_text(texts, ", %s: %s", subject->group == 1 ? "before" : "after",
			session_group_name(session, subject->group - 1));
	if (picture_subject_is_difference(subject)) {
		const char *before = session_group_name(session, 0), *after = session_group_name(session, 1);
		double scale = session_group_scale(session, 1);
		text = strcmp(before, after) ? table_text(texts, ", before: %s, after: %s", before, after)
					     : table_text(texts, ", %s", before);
		return scale == 1 ? text : table_text(texts, "%s, after multiplied by %.4g", text, scale);
	}
	for (uint32_t i = 0; i < data->experiment_count; i++)
		if (data->experiments[i].founder == i)
			text = table_text(texts, "%s, %s", text, founder_name(&data->experiments[i], texts));
	return text;
}

static const char *difference_total(
	const struct difference_tree *difference, const struct picture_setting *setting, struct table *texts)
{
	const struct metric *row = &difference->rows[DIFFERENCE_DRAWN];
	char before[PICTURE_VALUE_MAX], after[PICTURE_VALUE_MAX], by[PICTURE_VALUE_MAX];
	uint64_t *const *sums = difference->tree->inclusive;
	double first = (double)sums[DIFFERENCE_BEFORE][0] / difference->parts,
	       second = (double)sums[DIFFERENCE_AFTER][0] / difference->parts, change = second - first;
	const char *text = table_text(texts, "%s %s before, %s after", row->title,
		picture_total(before, setting, row, first), picture_total(after, setting, row, second));
	if (!(fabs(change) > 0))
		return text;
	text = table_text(
		texts, "%s, %c%s", text, change > 0 ? '+' : '-', picture_total(by, setting, row, fabs(change)));
	return first > 0 ? table_text(texts, "%s, %+.2f%%", text, 100 * change / first) : text;
}

/* " around bar, 55.56% of 9,000" */
static const char *around_facts(struct session *session, const struct picture_subject *subject, struct table *texts)
{
	const struct path_tree *tree = subject->tree;
	char whole[PICTURE_VALUE_MAX];
	if (!subject->callees)
		return "";
	return table_text(texts, " around %s, %.2f%% of %s",
		session_function_name(session, texts, tree->nodes[subject->callees].frame.function),
		100.0 * (double)subject->total / (double)subject->whole,
		picture_total(whole, &session->picture, &tree->metrics->rows[subject->metric], (double)subject->whole));
}

const char *picture_subject_line(
	struct session *session, const struct picture_subject *subject, struct table *texts, const char **about)
{
	const struct path_tree *tree = subject->tree;
	const struct metric *row = &tree->metrics->rows[subject->metric];
	const char *text = table_text(texts, "%s%s%s", around_facts(session, subject, texts),
		chart_subject_facts(subject, texts), experiments_of(session, subject, texts));
	if (subject->heaviest)
		text = table_text(texts, "%s, %s", text, subject->heaviest);
	if (subject->part)
		text = table_text(texts, "%s, %s", text, subject->part);
	if (subject->filter)
		text = table_text(texts, "%s, filter: %s", text, subject->filter);
	/* Estimates are divided among stacks, not among the events of a chart. */
	if (row->kind == KIND_CLOCK && session->estimated && !subject->chart)
		text = table_text(
			texts, "%s, %.3f s of short threads estimated", text, (double)session->estimated / 1e9);
	*about = table_text(texts, "%s, er-tools " ER_TOOLS_VERSION, text);
	if (subject->difference)
		return table_text(
			texts, "%s%s", difference_total(subject->difference, &session->picture, texts), *about);
	char value[PICTURE_VALUE_MAX];
	/* A chart by time may be of a metric of another unit. */
	if (subject->chart && !subject->spaces)
		row = &session_table(session)->rows[session->sort.item.metric];
	const unsigned mean_of = session->picture.mean_of;
	const char *mean = mean_of > 1 ? table_text(texts, ", mean of %u experiments", mean_of) : "";
	return table_text(texts, "%s %s%s%s", row->title,
		picture_total(value, &session->picture, row, (double)subject->total), mean, *about);
}
