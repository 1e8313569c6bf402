/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session: settings, and sums that are computed once. */
#include "session.h"
#include "coverage_text.h"
#include "data_names.h"
#include "missing_objects.h"
#include "plain_text.h"
#include "short_threads.h"

#include "storage.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void create_data(struct session *session)
{
	session->data = data_create();
	session->data->wants_descendant = rc_wants_descendant;
	session->data->descendant_context = &session->rc;
}

struct session *session_create(void)
{
	struct session *session = memory_get(1, sizeof *session);
	create_data(session);
	session->out = stdout;
	session->source_threshold = session->disasm_threshold = HOT_PERCENT;
	index_objects_create(&session->index_objects);
	search_path_create(&session->search_path);
	return session;
}

void session_forget_tree(struct session *session)
{
	path_tree_free(session->tree);
	path_tree_free(session->merged);
	key_sums_free(session->functions);
	call_graph_free(session->graph);
	session->tree = session->merged = 0;
	session->functions = 0;
	session->graph = 0;
	distinct_names_free(&session->distinct);
}

void session_forget_sums(struct session *session)
{
	session_forget_tree(session);
	stack_sums_free(session->sums);
	session->sums = 0;
	session->filter_prepared = false;
}

void session_forget_ticks(struct session *session)
{
	session_forget_sums(session);
	data_forget_tick_stacks(session->data);
	session->ticks_placed = false;
}

static void forget_data(struct session *session)
{
	session_forget_ticks(session);
	session->fragment.count = 0;
	free(session->recorded);
	session->recorded = 0;
	coverage_free(&session->coverage);
	session->coverage_known = false;
	if (session->resolver)
		resolver_destroy(session->resolver);
	session->resolver = 0;
}

void session_destroy(struct session *session)
{
	forget_data(session);
	data_destroy(session->data);
	expression_free(session->filter.expression);
	kernel_threads_free(&session->filter.threads);
	selection_free(&session->selection);
	index_objects_free(&session->index_objects);
	search_path_free(&session->search_path);
	rc_settings_free(&session->rc);
	object_choice_free(&session->object_choice);
	metric_rows_free(&session->metric_rows);
	free(session->filter_text);
	free(session->groups);
	free(session->wanted);
	session_arguments_free(&(struct session_arguments){session->arguments, session->argument_count});
	if (session->out_name)
		fclose(session->out);
	free(session->out_name);
	free(session);
}

static void renew_resolver(struct session *session)
{
	session->resolver = resolver_create(session->data);
	resolver_set_debuginfod(session->resolver, session->debuginfod);
	resolver_set_builds_apart(session->resolver, session->builds_apart);
	resolver_set_search_path(session->resolver, &session->search_path);
}

void session_forget_resolver(struct session *session)
{
	if (!session->resolver)
		return;
	forget_data(session);
	renew_resolver(session);
}

static bool is_argument(const struct session *session, const char *path)
{
	for (unsigned i = 0; i < session->argument_count; i++)
		if (!strcmp(session->arguments[i].path, path))
			return true;
	return false;
}

static bool load(struct session *session, const char *path, bool import, struct error *error)
{
	forget_data(session);
	error->text[0] = 0;
	uint32_t known = session->data->experiment_count;
	bool loaded = (import ? data_import : data_load)(session->data, path, error);
	if (loaded && error->text[0])
		fprintf(stderr, "Warning: %s\n", error->text);
	renew_resolver(session);
	object_choice_extend(session);
	metric_rows_extend(&session->metric_rows, session->data);
	session->groups = memory_resize(session->groups, session->data->experiment_count + 1, sizeof *session->groups);
	session->group_count += session->data->experiment_count > known;
	for (uint32_t e = known; e < session->data->experiment_count; e++)
		session->groups[e] = session->group_count;
	if (loaded && !is_argument(session, path)) {
		session->arguments =
			memory_room(session->arguments, session->argument_count, sizeof *session->arguments);
		session->arguments[session->argument_count++] = (struct session_argument){strdup(path), import};
	}
	return loaded;
}

struct session_arguments session_unload(struct session *session)
{
	struct session_arguments taken = {session->arguments, session->argument_count};
	forget_data(session);
	data_destroy(session->data);
	create_data(session);
	renew_resolver(session);
	selection_free(&session->selection);
	session->group_count = 0;
	object_choice_forget(&session->object_choice);
	session->arguments = 0;
	session->argument_count = 0;
	return taken;
}

void session_arguments_free(struct session_arguments *arguments)
{
	for (unsigned i = 0; i < arguments->count; i++)
		free(arguments->all[i].path);
	free(arguments->all);
}

void session_load_again(struct session *session, struct session_arguments *arguments, unsigned except)
{
	for (unsigned i = 0; i < arguments->count; i++) {
		struct error error;
		if (i != except && !session_load(session, arguments->all[i].path, arguments->all[i].imported, &error))
			session_error(session, "%s", error.text);
	}
	session_arguments_free(arguments);
}

bool session_load(struct session *session, const char *path, bool import, struct error *error)
{
	if (import || !data_has_descendant_of(session->data, path))
		return load(session, path, import, error);
	struct session_arguments others = session_unload(session);
	bool loaded = load(session, path, import, error);
	session_load_again(session, &others, others.count);
	return loaded;
}

/* Before stacks are counted: it adds some. */
static void place_ticks(struct session *session)
{
	if (!session->ticks_placed && !session->skid_raw)
		resolver_place_ticks(session->resolver);
	session->ticks_placed = true;
}

static const char *filter_name(const void *context, uint32_t function)
{
	const struct session *session = context;
	return session_plain_name(session, (struct table *)&session->filter_names, function);
}

static const char *filter_data_name(const void *context, const struct data_object *object)
{
	const struct session *session = context;
	return data_object_name(session, (struct table *)&session->filter_names, object);
}

void session_prepare(struct session *session, struct expression *expression)
{
	place_ticks(session);
	session->expression_setting = (struct expression_setting){.data = session->data,
		.resolver = session->resolver,
		.mode = session->view_mode,
		.group = session->groups,
		.function_name = filter_name,
		.data_name = filter_data_name,
		.context = session};
	expression_prepare(expression, &session->expression_setting);
	table_free(&session->filter_names);
	session->filter_names = (struct table){0};
}

const struct event_filter *session_filter(struct session *session)
{
	place_ticks(session);
	if (!session->filter_prepared) {
		session->filter.selection = &session->selection;
		if (!selection_is_all(&session->selection))
			kernel_threads_read(&session->filter.threads, session->data);
		if (session->filter.expression)
			session_prepare(session, session->filter.expression);
	}
	session->filter_prepared = true;
	session->filter.resolver = session->resolver;
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

const struct stack_sums *session_sums(struct session *session)
{
	if (session->sums)
		return session->sums;
	const struct event_filter *filter = session_filter(session);
	session->sums = stack_sums_compute(session->data, session_table(session), filter, session_wanted(session));
	session->estimated = session->short_apart ? 0 : short_threads_divide(session->data, filter, session->sums);
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

const bool *session_wanted(struct session *session)
{
	const struct metric_table *table = session_table(session);
	session->wanted = memory_resize(session->wanted, table->count, sizeof *session->wanted);
	for (unsigned m = 0; m < table->count; m++)
		session->wanted[m] = session->every_wanted || !metric_is_costly(&table->rows[m]);
	for (unsigned i = 0; i < session->metrics.count; i++)
		if (session->metrics.items[i].type == ITEM_METRIC)
			session->wanted[session->metrics.items[i].metric] = true;
	return session->wanted;
}

void session_want_shown(struct session *session)
{
	const bool *wanted = session_wanted(session);
	for (unsigned m = 0; session->sums && m < session->sums->metrics->count; m++)
		if (wanted[m] && session->sums->recorded[m] && !session->sums->of[m] &&
			session->sums->metrics->rows[m].unit != METRIC_RATIO)
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
	if (!session->recorded)
		session->recorded = metrics_recorded(session->data, session_table(session));
	return (struct metric_context){
		session_table(session), session->recorded, session->rc.default_metrics, session->rc.default_sort};
}

void session_choose_defaults(struct session *session)
{
	if (session->metrics.count)
		return;
	struct metric_context context = session_metrics(session);
	metric_list_default(&session->metrics, &context);
	metric_sort_default(&session->sort, &session->metrics, &context);
}

void session_set_view_mode(struct session *session, enum view_mode mode)
{
	/* A filter may speak of stacks as they are shown. */
	if (mode != session->view_mode && session->filter.expression)
		session_forget_sums(session);
	else if (mode != session->view_mode)
		session_forget_tree(session);
	session->view_mode = mode;
}

void session_set_names(struct session *session, enum name_style style, bool soname)
{
	session->name_style = style;
	session->soname = soname;
	if (session->filter.expression)
		session_forget_sums(session);
	if (session->tree)
		tell_names_apart(session);
}

const char *session_plain_name(const struct session *session, struct table *table, uint32_t function)
{
	const struct function *what = resolver_function(session->resolver, function);
	const char *name = session->name_style == NAME_SHORT     ? what->short_name
			   : session->name_style == NAME_MANGLED ? what->mangled
								 : what->long_name;
	if (!session->soname || what->artificial)
		return name;
	return table_text(table, "%s [%s]", name, resolver_object_name(session->resolver, what->object));
}

const char *session_function_name(const struct session *session, struct table *table, uint32_t function)
{
	const char *name = session_plain_name(session, table, function);
	const char *distinction = distinct_name(&session->distinct, function);
	return distinction ? table_text(table, "%s (%s)", name, distinction) : name;
}

bool session_error(struct session *session, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fflush(session->out);
	fputs("Error: ", stderr);
	vfprintf(stderr, format, arguments);
	putc('\n', stderr);
	va_end(arguments);
	if (session->on_command_line)
		session->status = 1;
	return false;
}

const struct coverage *session_coverage(struct session *session)
{
	if (!session->coverage_known)
		session->coverage = coverage_of(session->data);
	session->coverage_known = true;
	return &session->coverage;
}

uint64_t session_estimated(const struct session *session)
{
	bool clock = false;
	for (unsigned i = 0; session->sums && i < session->metrics.count; i++)
		clock |= session->metrics.items[i].type == ITEM_METRIC &&
			 session->sums->metrics->rows[session->metrics.items[i].metric].kind == KIND_CLOCK;
	return clock ? session->estimated : 0;
}

static bool anything_recorded(struct session *session)
{
	struct metric_context context = session_metrics(session);
	bool any = false;
	for (unsigned m = 0; m < context.table->count; m++)
		any |= context.recorded[m];
	return any;
}

/* The lines under a table: what was not recorded, and what is an estimate. */
static void add_footnotes(struct session *session, struct table *table)
{
	char *line = coverage_line(session_coverage(session));
	uint64_t estimated = session->stacks_used ? session_estimated(session) : 0;
	char *missing = session->stacks_used && session->sums
				? missing_objects_line(session->resolver, session->data, session->sums)
				: 0;
	if (session->stacks_used && !anything_recorded(session))
		table_footnote(table, "No metrics: neither clock, counters nor tracing were recorded (collect -p off); "
				      "header says what was");
	session->stacks_used = false;
	if (missing)
		table_footnote(table, table_text(table, "%s", missing));
	if (line)
		table_footnote(table, table_text(table, "%s", line));
	if (estimated)
		table_footnote(table, table_text(table,
					      "Estimated: %.3f CPU seconds are of threads too short for a clock tick, "
					      "divided among others of their programs (short_threads apart shows them)",
					      (double)estimated / 1e9));
	free(line);
	free(missing);
}

void session_print(struct session *session, struct table *table)
{
	add_footnotes(session, table);
	switch (session->print_mode) {
	case PRINT_TEXT:
		table_print_text(table, session->out);
		break;
	case PRINT_HTML:
		table_print_html(table, session->out);
		break;
	case PRINT_DELIMITED:
		table_print_delimited(table, session->out, session->delimiter);
		for (unsigned i = 0; i < table->footnote_count; i++)
			print_between(stderr, "Warning: ", table->footnotes[i], "\n");
		break;
	}
	table_free(table);
}
