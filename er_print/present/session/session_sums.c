/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sums of a session, each computed when it is first asked for, and the settings that make it compute again. */
#include "balance_names.h"
#include "balance_tree.h"
#include "data_names.h"
#include "omp_places.h"
#include "session.h"
#include "short_threads.h"
#include "space_times.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

/* Before stacks are counted: it adds some. In machine mode threads wait where they are. */
static void place_stacks(struct session *session)
{
	resolver_name_regions(session->resolver);
	if (!session->stacks_placed && !session->skid_raw)
		resolver_place_ticks(session->resolver);
	if (!session->stacks_placed && session->view_mode != VIEW_MACHINE)
		omp_places_make(session->data);
	session->stacks_placed = true;
}

static const char *filter_name(const void *context, uint32_t function)
{
	const struct session *session = context;
	return session_plain_name(session, (struct table *)&session->filter_names, function);
}

static const char *filter_line_name(const void *context, uint32_t line)
{
	const struct session *session = context;
	return session_plain_line_name(session, (struct table *)&session->filter_names, line);
}

static const char *filter_data_name(const void *context, const struct data_object *object)
{
	const struct session *session = context;
	return data_object_name(session, (struct table *)&session->filter_names, object);
}

static const struct space_times *space_times_of(const void *context)
{
	struct session *session = (struct session *)context;
	if (!session->space_times)
		session->space_times = space_times_make(session->data, session->resolver, &session->space_rules);
	return session->space_times;
}

void session_prepare(struct session *session, struct expression *expression)
{
	place_stacks(session);
	session->expression_setting = (struct expression_setting){.data = session->data,
		.resolver = session->resolver,
		.mode = session->view_mode,
		.group = session->groups,
		.space_times = space_times_of,
		.compared = session_groups(session) > 1 && !session->comparison.part_count,
		.function_name = filter_name,
		.line_name = filter_line_name,
		.data_name = filter_data_name,
		.context = session};
	expression_prepare(expression, &session->expression_setting);
	table_free(&session->filter_names);
	session->filter_names = (struct table){0};
}

const struct event_filter *session_filter(struct session *session)
{
	bool compared = session->comparison.mode != COMPARE_OFF;
	unsigned parts = compared ? session->comparison.part_count : 0;
	place_stacks(session);
	if (!session->filter_prepared) {
		session->filter.selection = &session->selection;
		if (!selection_is_all(&session->selection))
			kernel_threads_read(&session->filter.threads, session->data);
		if (session->filter.expression)
			session_prepare(session, session->filter.expression);
		for (unsigned part = 0; part < parts; part++)
			session_prepare(session, session->comparison.parts[part]);
	}
	session->filter_prepared = true;
	session->filter.resolver = session->resolver;
	session->filter.groups = session->groups;
	session->filter.group = session->only_group;
	session->filter.parts = parts ? session->comparison.parts : 0;
	session->filter.part_count = parts;
	return &session->filter;
}

bool session_set_filter(struct session *session, const char *text, struct error *error)
{
	bool none = !text[strspn(text, " \t\r\n")];
	struct expression *expression =
		none ? 0 : expression_parse(text, index_object_text, &session->index_objects, error);
	if (!none && !expression)
		return false;
	expression_free(session->filter.expression);
	session->filter.expression = expression;
	char *old = session->filter_text;
	session->filter_text = none ? 0 : strdup(text);
	free(old);
	session_forget_sums(session);
	return true;
}

static uint64_t divide_short_threads(struct session *session, const struct event_filter *filter)
{
	unsigned groups = session_groups(session);
	uint64_t moved = 0;
	for (unsigned g = 0; g < groups; g++) {
		uint32_t group = groups > 1 ? g + 1 : 0;
		struct event_filter of_group = event_filter_of_group(filter, group);
		moved += short_threads_divide(session->data, &of_group, group, session->sums);
	}
	return moved;
}

static void add_balance(struct session *session, const struct event_filter *filter)
{
	struct error error;
	if (session->balance.table.count &&
		!balance_add_sums(&session->balance, session->data, filter, session->wanted, session->sums, &error))
		session_warning(session, "%s", error.text);
}

const struct stack_sums *session_sums(struct session *session)
{
	if (session->sums)
		return session->sums;
	const struct event_filter *filter = session_filter(session);
	session->sums = stack_sums_compute(session->data, session_sum_table(session), filter, session_wanted(session));
	add_balance(session, filter);
	session->estimated = session->short_apart ? 0 : divide_short_threads(session, filter);
	return session->sums;
}

static void tell_names_apart(struct session *session)
{
	distinct_names_free(&session->distinct);
	session->distinct = distinct_names_of_tree(session, session->tree, 0, 0);
}

static const struct path_tree *tree(struct session *session)
{
	struct stack_view view = session_view(session);
	if (!session->tree) {
		session->tree = path_tree_build(session->resolver, session->data, session_sums(session), &view);
		tell_names_apart(session);
	}
	return session->tree;
}

void session_tell_names_apart(struct session *session)
{
	tree(session);
}

const struct path_tree *session_tree(struct session *session)
{
	session->stacks_used = true;
	return tree(session);
}

uint64_t *const *session_totals(struct session *session)
{
	return tree(session)->inclusive;
}

const struct path_tree *session_merged(struct session *session)
{
	const struct path_tree *tree = session_tree(session);
	if (!session->merged)
		session->merged = path_tree_merge(tree);
	return session->merged;
}

void session_fill_balance(struct session *session, unsigned metric)
{
	session_merged(session);
	balance_fill_tree(session->merged, metric);
}

/* A function that was resolved after the sums were computed (by source or disasm) has no sums: then its number is not
   below key_count, and they are computed again. */
const struct key_sums *session_functions(struct session *session)
{
	const struct path_tree *merged = session_merged(session);
	uint32_t count = resolver_function_count(session->resolver);
	if (session->functions && session->functions->key_count < count) {
		key_sums_free(session->functions);
		session->functions = 0;
	}
	if (!session->functions)
		session->functions = key_sums_compute(merged, count, key_function, session->resolver);
	return session->functions;
}

const struct call_graph *session_graph(struct session *session)
{
	const struct path_tree *merged = session_merged(session);
	uint32_t count = resolver_function_count(session->resolver);
	if (session->graph && session->graph->function_count < count) {
		call_graph_free(session->graph);
		session->graph = 0;
	}
	if (!session->graph)
		session->graph = call_graph_compute(merged, count);
	return session->graph;
}

struct stack_view session_view(const struct session *session)
{
	const struct object_choice *choice = &session->object_choice;
	return (struct stack_view){.mode = session->view_mode, .expansion = choice->any ? choice->expansion : 0};
}

const struct metric_table *session_table(struct session *session)
{
	if (!session->metric_rows.table.count)
		metric_rows_extend(&session->metric_rows, session->data);
	return &session->metric_rows.table;
}

/* Those that are chosen by number. A filter leaves all in, as one of functions or of a time must. */
static bool member_counts(const void *context, uint32_t group, const struct balance_member *member)
{
	const struct session *session = context;
	const struct selected_experiment *selected = selection_of(&session->selection, member->experiment);
	bool chosen =
		!selected ||
		(!selected->off && (!member->thread || ranges_have(&selected->of[SELECT_THREADS], member->thread)));
	return chosen && session_shows_experiment(session, member->experiment) &&
	       session_group_has(session, group, member->experiment);
}

const struct metric_table *session_sum_table(struct session *session)
{
	const struct metric_table *table = session_group_table(session);
	bool balanced = false;
	for (unsigned m = metrics_builtin()->count; m < table->count && !balanced; m++)
		balanced = table->rows[m].balance.statistic;
	if (!balanced)
		return table;
	if (!session->balance.table.count)
		balance_make_table(&session->balance, session->data, table, member_counts, session);
	return &session->balance.table;
}

static void want_listed(struct session *session, const struct metric_list *list)
{
	for (unsigned i = 0; i < list->count; i++)
		for (unsigned g = 0; list->items[i].type == ITEM_METRIC && g < session_groups(session); g++)
			session->wanted[session_group_metric(session, list->items[i].metric, g)] = true;
}

const bool *session_wanted(struct session *session)
{
	const struct metric_table *table = session_sum_table(session);
	session->wanted = memory_resize(session->wanted, table->count, sizeof *session->wanted);
	for (unsigned m = 0; m < table->count; m++)
		session->wanted[m] = session->every_wanted || !metric_is_on_demand(&table->rows[m]);
	want_listed(session, &session->metrics);
	if (session->also_shown)
		want_listed(session, session->also_shown);
	int scale = session->comparison.by_metric ? metric_find(table, session->comparison.by_metric) : -1;
	for (unsigned g = 0; scale >= 0 && g < session_groups(session); g++)
		session->wanted[session_group_metric(session, (unsigned)scale, g)] = true;
	for (unsigned m = 0; m < table->count; m++)
		for (unsigned i = 0; session->wanted[m] && i < table->rows[m].balance.count; i++)
			session->wanted[table->rows[m].balance.first + i] = true;
	return session->wanted;
}

void session_want_shown(struct session *session)
{
	const bool *wanted = session_wanted(session);
	for (unsigned m = 0; session->sums && m < session->sums->metrics->count; m++)
		if (wanted[m] && session->sums->recorded[m] && !session->sums->of[m] &&
			!metric_is_derived(&session->sums->metrics->rows[m]))
			session_forget_sums(session);
}

bool session_show_also(struct session *session, const struct metric_list *list)
{
	const bool *wanted = session_wanted(session);
	bool more = false;
	for (unsigned i = 0; i < list->count; i++)
		more |= list->items[i].type == ITEM_METRIC &&
			!wanted[session_group_metric(session, list->items[i].metric, 0)];
	session->also_shown = more ? list : 0;
	session_want_shown(session);
	return more;
}

void session_show_again(struct session *session)
{
	session->also_shown = 0;
	session_forget_sums(session);
}

void session_want_all(struct session *session)
{
	session->every_wanted = true;
	session_want_shown(session);
}

struct metric_context session_metrics(struct session *session)
{
	/* Without the sums: what a command sets before the first report must not cost a pass over the events. */
	if (!session->recorded) {
		const struct metric_table *table = session_table(session);
		session->recorded = metrics_recorded(session->data, table);
		for (unsigned m = 0; m < table->count; m++)
			if (table->rows[m].balance.statistic)
				session->recorded[m] &=
					balance_members(&session->balance, session->data, table->rows[m].balance.over)
						->count > 0;
	}
	return (struct metric_context){
		session_table(session), session->recorded, session->rc.default_metrics, session->rc.default_sort};
}

struct metric_context session_metrics_for(struct session *session, const char *specification)
{
	session_table(session);
	if (balance_rows_extend(&session->metric_rows, specification)) {
		session_forget_sums(session);
		free(session->recorded);
		session->recorded = 0;
	}
	return session_metrics(session);
}

const char *session_balance_member(struct session *session, unsigned metric, uint64_t value)
{
	enum balance_over over = session_table(session)->rows[metric].balance.over;
	const struct balance_members *members = balance_members(&session->balance, session->data, over);
	return value < members->count ? members->all[value].name : "";
}

void session_choose_defaults(struct session *session)
{
	if (session->metrics.count)
		return;
	session_metrics_for(session, session->rc.default_sort);
	struct metric_context context = session_metrics_for(session, session->rc.default_metrics);
	metric_list_default(&session->metrics, &context);
	metric_sort_default(&session->sort, &session->metrics, &context);
}

void session_set_comparison(struct session *session, const struct comparison *comparison)
{
	session_forget_sums(session);
	comparison_free(&session->comparison);
	session->comparison = *comparison;
}

static bool has_filters(const struct session *session)
{
	return session->filter.expression || session->comparison.part_count;
}

void session_set_view_mode(struct session *session, enum view_mode mode)
{
	bool machine = mode == VIEW_MACHINE, was = session->view_mode == VIEW_MACHINE;
	/* A filter may speak of stacks as they are shown. */
	if (machine != was && omp_places_are_in(session->data))
		session_forget_places(session);
	else if (mode != session->view_mode && has_filters(session))
		session_forget_sums(session);
	else if (mode != session->view_mode)
		session_forget_tree(session);
	session->view_mode = mode;
}

void session_set_names(struct session *session, enum name_style style, bool soname)
{
	session->name_style = style;
	session->soname = soname;
	if (has_filters(session))
		session_forget_sums(session);
	if (session->tree)
		tell_names_apart(session);
}

const struct coverage *session_coverage(struct session *session)
{
	if (!session->coverage_known)
		session->coverage = coverage_of(session->data);
	session->coverage_known = true;
	return &session->coverage;
}
