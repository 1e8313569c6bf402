/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists by index objects, and the commands about them. */
#include "command_functions.h"
#include "index_list.h"
#include "index_sums.h"
#include "list_view.h"

#include <string.h>

struct context {
	const struct index_list *list;
	const struct index_sums *sums;
	const struct expression *expression;
};

static const char *row_name(struct session *session, struct table *table, const void *of, uint32_t key)
{
	const struct context *context = of;
	const struct index_list *list = context->list;
	bool shown = !list->only_shown;
	for (unsigned i = 0; i < list->metrics->count && !shown; i++) {
		const struct metric_item *item = &list->metrics->items[i];
		for (unsigned g = 0; item->type == ITEM_METRIC && g < session_groups(session); g++)
			shown |=
				context->sums->sums.exclusive[session_group_metric(session, item->metric, g)][key] != 0;
	}
	if (!shown)
		return 0;
	if (list->name)
		return list->name(session, table, context->expression, context->sums->values[key]);
	return index_object_row(session, table, list->row, context->sums->values[key]);
}

/* Rows without a value, -1, come last. */
static uint64_t row_value(const void *of, uint32_t key)
{
	const struct context *context = of;
	return (uint64_t)context->sums->values[key];
}

static bool is_empty(struct session *session, const struct index_sums *sums, unsigned metric)
{
	for (unsigned g = 0; g < session_groups(session); g++)
		for (uint32_t key = 0; key < sums->count; key++)
			if (sums->sums.exclusive[session_group_metric(session, metric, g)][key])
				return false;
	return true;
}

/* Without rare metrics that nobody chose and that nothing has. */
static struct metric_list without_empty(
	struct session *session, const struct metric_list *list, const struct index_sums *sums)
{
	struct metric_list kept = {.standard = list->standard};
	for (unsigned i = 0; i < list->count; i++) {
		const struct metric_item *item = &list->items[i];
		if (list->standard && item->type == ITEM_METRIC &&
			metric_is_rare(&session_table(session)->rows[item->metric]) &&
			is_empty(session, sums, item->metric))
			continue;
		kept.items[kept.count++] = *item;
	}
	return kept;
}

bool index_list_print(struct session *session, const struct index_list *list)
{
	struct error error;
	struct expression *expression =
		expression_parse(list->text, index_object_text, &session->index_objects, &error);
	if (!expression)
		return session_error(session, "%s: %s", list->title, error.text);
	bool more = session_show_also(session, list->metrics);
	session_prepare(session, expression);
	struct index_sums *sums = index_sums_compute(session->data, session_sum_table(session), session_filter(session),
		session_wanted(session), expression);
	struct metric_list shown = without_empty(session, list->metrics, sums);
	list_view_print(session, &(struct list_view){.title = list->title,
					 .sums = &sums->sums,
					 .context = &(struct context){list, sums, expression},
					 .name = row_name,
					 .metrics = &shown,
					 .sorted = list->sorted,
					 .fit_times = list->only_shown,
					 .order = list->by_value ? row_value : 0,
					 .order_name = list->by_value});
	index_sums_free(sums);
	expression_free(expression);
	if (more)
		session_show_again(session);
	return true;
}

/* An index value is nobody's caller: exclusive metrics only, each once, and no size or address. */
static void exclusive_list(struct metric_list *list, const struct metric_list *from, const struct metric_table *table)
{
	list->count = 0;
	list->standard = from->standard;
	for (unsigned i = 0; i < from->count; i++) {
		struct metric_item item = from->items[i];
		if (item.type == ITEM_SIZE || item.type == ITEM_ADDRESS ||
			(item.type == ITEM_METRIC &&
				(item.flavour == DATA_DERIVED || table->rows[item.metric].balance.statistic)))
			continue;
		item.flavour = EXCLUSIVE;
		unsigned same = 0;
		while (same < list->count && !metric_item_same(&list->items[same], &item))
			same++;
		if (same == list->count)
			list->items[list->count++] = item;
		else
			list->items[same].show |= item.show;
	}
}

/* Whether an object is about events of a kind: locks are waited for, and durations are those of calls. */
static bool is_about(enum index_row row, enum kind kind)
{
	switch (row) {
	case INDEX_LOCK:
		return kind == KIND_SYNC;
	case INDEX_DURATION:
		return kind == KIND_SYNC || kind == KIND_IO || kind == KIND_MPI;
	case INDEX_MESSAGE_SIZE:
		return kind == KIND_MPI;
	case INDEX_DATASIZE:
		return kind == KIND_HEAP || kind == KIND_IO;
	default:
		return true;
	}
}

static bool is_size(enum index_row row)
{
	return row == INDEX_DURATION || row == INDEX_DATASIZE || row == INDEX_MESSAGE_SIZE;
}

static void add_recorded(struct session *session, struct metric_list *list, enum index_row row)
{
	struct metric_context context = session_metrics(session);
	for (unsigned m = 0; m < context.table->count && list->count < METRIC_ITEMS_MAX; m++) {
		const struct metric *metric = &context.table->rows[m];
		if (context.recorded[m] && *metric->initial && is_about(row, metric->kind))
			list->items[list->count++] = (struct metric_item){
				ITEM_METRIC, EXCLUSIVE, m, metric->unit == METRIC_NANOSECONDS ? SHOW_TIME : SHOW_VALUE};
	}
}

/* Metrics of other events leave the list; if none is left, or nobody chose them, those that were recorded come in their place. */
static void choose_metrics(
	struct session *session, struct metric_list *list, struct metric_item *sorted, enum index_row row)
{
	const struct metric_table *table = session_table(session);
	struct metric_list kept = {.count = 0};
	for (unsigned i = 0; i < list->count && !session->metrics.standard; i++)
		if (list->items[i].type == ITEM_METRIC && list->items[i].show &&
			is_about(row, table->rows[list->items[i].metric].kind))
			kept.items[kept.count++] = list->items[i];
	if (!kept.count)
		add_recorded(session, &kept, row);
	if (kept.count && sorted->type == ITEM_METRIC && !is_about(row, table->rows[sorted->metric].kind))
		*sorted = kept.items[0];
	if (!kept.count)
		return;
	*list = kept;
	if (list->count < METRIC_ITEMS_MAX)
		list->items[list->count++] = (struct metric_item){.type = ITEM_NAME, .show = SHOW_VALUE};
}

static bool is_listed(const struct metric_list *list, unsigned metric)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->items[i].type == ITEM_METRIC && list->items[i].metric == metric)
			return true;
	return false;
}

/* Threads are shown with their states, all metrics in the table's order, unless the user chose metrics. */
static void add_states(struct session *session, struct metric_list *list)
{
	struct metric_context context = session_metrics(session);
	struct metric_list all = {.standard = true};
	for (unsigned m = 0; m < context.table->count; m++) {
		const struct metric *metric = &context.table->rows[m];
		if (is_listed(list, m)) {
			for (unsigned i = 0; i < list->count; i++)
				if (list->items[i].type == ITEM_METRIC && list->items[i].metric == m)
					all.items[all.count++] = list->items[i];
		} else if (context.recorded[m] && metric->kind == KIND_OFFCPU && *metric->initial &&
			   all.count + list->count < METRIC_ITEMS_MAX) {
			all.items[all.count++] = (struct metric_item){ITEM_METRIC, EXCLUSIVE, m, SHOW_TIME};
		}
	}
	for (unsigned i = 0; i < list->count; i++)
		if (list->items[i].type != ITEM_METRIC)
			all.items[all.count++] = list->items[i];
	*list = all;
}

static bool show(struct session *session, const struct index_object *object)
{
	struct metric_list list;
	struct metric_item sorted = session->sort.item;
	bool some = !is_about(object->row, KIND_CLOCK);
	if (object->memory)
		return data_list_print(
			session, &(struct index_list){.title = object->name, .text = object->text, .row = object->row});
	exclusive_list(&list, &session->metrics, session_table(session));
	if (sorted.type == ITEM_METRIC)
		sorted.flavour = EXCLUSIVE;
	else if (sorted.type != ITEM_NAME)
		sorted = (struct metric_item){.type = ITEM_NAME, .show = SHOW_VALUE};
	if (object->row == INDEX_THREAD && session->metrics.standard)
		add_states(session, &list);
	if (some)
		choose_metrics(session, &list, &sorted, object->row);
	return index_list_print(session, &(struct index_list){.title = "Objects",
						 .text = object->text,
						 .row = object->row,
						 .metrics = &list,
						 .sorted = &sorted,
						 .by_value = is_size(object->row) ? "size" : 0,
						 .only_shown = some});
}

bool command_indxobj(struct session *session, unsigned argc, char **argv)
{
	const struct index_object *object = argc ? index_object_find(&session->index_objects, argv[0]) : 0;
	if (!object)
		return session_error(session,
			"Invalid argument to command: indxobj %s: indxobj_list shows the types that there are",
			argc ? argv[0] : "");
	return show(session, object);
}

#define INDEX_OBJECT(name, text, row)                                                                                  \
	bool command_##name(struct session *session, unsigned argc, char **argv)                                       \
	{                                                                                                              \
		(void)argc;                                                                                            \
		(void)argv;                                                                                            \
		return show(session, index_object_find(&session->index_objects, #name));                               \
	}
#include "index_objects.def"

static bool list_objects(struct session *session, const char *title, bool memory)
{
	static const struct table_heading headings[] = {{"Name", COLUMN_TEXT}, {"Expression", COLUMN_TEXT}};
	struct table table = {0};
	table.formed = table_text(&table, "%s:\n", title);
	table_preamble(&table, title);
	table_headings(&table, headings, sizeof headings / sizeof *headings);
	for (unsigned i = 0; i < session->index_objects.count; i++) {
		const struct index_object *object = &session->index_objects.objects[i];
		if (object->memory != memory)
			continue;
		struct cell *cells = table_row(&table, ROW_PLAIN);
		cell_words(&cells[0], object->name);
		cell_words(&cells[1], object->text);
		table_line(&table, "  %-*s %s\n", memory ? 20 : 16, object->name, object->text);
	}
	session_print(session, &table);
	return true;
}

bool command_indxobj_list(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	return list_objects(session, "Index objects", false);
}

bool command_mobj_list(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	return list_objects(session, "Memory objects", true);
}

static bool define(struct session *session, const char *command, unsigned argc, char **argv, bool memory)
{
	struct error error;
	if (argc < 2)
		return session_error(session, "Invalid argument to command: %s: a name and an expression", command);
	if (!index_object_define(&session->index_objects, argv[0], argv[1], memory, &error))
		return session_error(session, "Invalid argument to command: %s %s", command, error.text);
	return true;
}

bool command_indxobj_define(struct session *session, unsigned argc, char **argv)
{
	return define(session, "indxobj_define", argc, argv, false);
}

bool command_mobj_define(struct session *session, unsigned argc, char **argv)
{
	return define(session, "mobj_define", argc, argv, true);
}

bool command_memobj(struct session *session, unsigned argc, char **argv)
{
	const struct index_object *object = argc ? index_object_find(&session->index_objects, argv[0]) : 0;
	if (!object || !object->memory)
		return session_error(session,
			"Invalid argument to command: memobj %s: mobj_list shows the types that there are",
			argc ? argv[0] : "");
	return show(session, object);
}
