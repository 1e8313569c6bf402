/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of the data space: what the addresses were that counters recorded, as variables, allocations and stacks. */
#include "commands.h"
#include "data_accesses.h"
#include "data_names.h"
#include "index_list.h"
#include "index_sums.h"
#include "metric_columns.h"
#include "summary_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DATA_OBJECT "DOBJ"

static bool has_addresses(const struct session *session, const struct metric *row)
{
	for (uint32_t e = 0; row->counter && e < session->data->experiment_count; e++) {
		const struct experiment *file = session->data->experiments[e].file;
		int counter = metric_counter_in(file, row->counter);
		if (counter >= 0 && counter_has_addresses(file, (uint64_t)counter))
			return true;
	}
	return false;
}

static void add_item(struct metric_list *list, unsigned metric, unsigned show)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->items[i].metric == metric)
			return;
	if (list->count < METRIC_ITEMS_MAX)
		list->items[list->count++] = (struct metric_item){ITEM_METRIC, DATA_DERIVED, metric, show};
}

/* The metrics with addresses that the session shows, or all of them; each once, and the name. */
static bool data_metrics(struct session *session, struct metric_list *list, struct metric_item *sorted)
{
	const struct metric_table *table = session_table(session);
	const struct metric_item name = {.type = ITEM_NAME, .show = SHOW_VALUE};
	list->count = 0;
	for (unsigned i = 0; i < session->metrics.count; i++) {
		const struct metric_item *item = &session->metrics.items[i];
		if (item->type == ITEM_METRIC && item->show && has_addresses(session, &table->rows[item->metric]))
			add_item(list, item->metric, item->show);
	}
	for (unsigned m = 0; m < table->count && !list->count; m++)
		if (has_addresses(session, &table->rows[m]))
			add_item(list, m, table->rows[m].unit == METRIC_NANOSECONDS ? SHOW_TIME : SHOW_VALUE);
	if (!list->count)
		return session_error(session, "no data addresses were recorded: collect -h +COUNTER records them, "
					      "+page-faults on any machine");
	*sorted = list->items[0];
	for (unsigned i = 0; i < list->count; i++)
		if (session->sort.item.type == ITEM_METRIC && session->sort.item.metric == list->items[i].metric)
			*sorted = list->items[i];
	if (session->sort.item.type == ITEM_NAME)
		*sorted = name;
	list->items[list->count++] = name;
	return true;
}

bool data_list_print(struct session *session, const struct index_list *wanted)
{
	struct index_list list = *wanted;
	struct metric_list metrics;
	struct metric_item sorted;
	if (!data_metrics(session, &metrics, &sorted))
		return false;
	list.metrics = &metrics;
	list.sorted = &sorted;
	list.only_shown = true;
	return index_list_print(session, &list);
}

static const char *row_name(
	struct session *session, struct table *table, const struct expression *expression, int64_t value)
{
	const struct data_objects *objects = expression_data_objects(expression);
	return data_object_name(session, table, data_objects_get(objects, (uint32_t)value));
}

bool command_data_objects(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	return data_list_print(
		session, &(struct index_list){.title = "Data Objects", .text = DATA_OBJECT, .name = row_name});
}

static void print_number(struct session *session, const char *label, const char *format, uint64_t value, size_t width)
{
	char text[64];
	snprintf(text, sizeof text, format, value);
	summary_print_text(session, label, text, width);
}

static void print_panel(struct session *session, const struct data_object *object, const char *name,
	const struct metric_list *metrics, const struct metric_values *values)
{
	size_t width = strlen("Load Object");
	struct metric_context context = session_metrics(session);
	char title[128];
	for (unsigned i = 0; i + 1 < metrics->count; i++) {
		metric_item_title(&metrics->items[i], &context, title, sizeof title);
		width = strlen(title) > width ? strlen(title) : width;
	}
	fprintf(session->out, "%s\n", name);
	for (unsigned i = 0; i + 1 < metrics->count; i++)
		summary_print_metric(session, &metrics->items[i], values, width);
	if (object->class == DATA_VARIABLE) {
		print_number(session, "Size", "%" PRIu64, object->size, width);
		print_number(session, "Address", "0x%08" PRIx64, object->start, width);
	}
	if (object->class == DATA_VARIABLE || object->class == DATA_NAMELESS)
		summary_print_text(session, "Load Object", session->data->objects[object->object].path, width);
}

/* The places in `sums` of the objects of that name, in the order of their numbers. */
static uint32_t *find_named(struct session *session, const struct index_sums *sums, const struct data_objects *objects,
	const char *name, uint32_t *count)
{
	struct table names = {0};
	uint32_t *found = memory_get(sums->count, sizeof *found);
	*count = 0;
	for (uint32_t place = 0; place < sums->count; place++) {
		const struct data_object *object = data_objects_get(objects, (uint32_t)sums->values[place]);
		if (!strcmp(data_object_name(session, &names, object), name) ||
			(object->class == DATA_VARIABLE && !strcmp(object->name, name)))
			found[(*count)++] = place;
	}
	table_free(&names);
	return found;
}

/* Which of several is meant: all if no number says so. */
static bool print_named(struct session *session, const struct index_sums *sums, const struct data_objects *objects,
	unsigned argc, char **argv)
{
	struct table names = {0};
	struct metric_list metrics;
	struct metric_item sorted;
	uint32_t count;
	if (!data_metrics(session, &metrics, &sorted))
		return false;
	uint32_t *found = find_named(session, sums, objects, argv[0], &count);
	char *end = 0;
	unsigned long number = argc > 1 ? strtoul(argv[1], &end, 10) : 0;
	bool good = count && (argc < 2 || (!*end && number >= 1 && number <= count));
	for (uint32_t i = 0; good && i < count; i++) {
		if (number && i + 1 != number)
			continue;
		const struct data_object *object = data_objects_get(objects, (uint32_t)sums->values[found[i]]);
		struct metric_values values = {.exclusive = sums->sums.exclusive,
			.inclusive = sums->sums.inclusive,
			.index = found[i],
			.function = NO_KEY};
		if (i && !number)
			putc('\n', session->out);
		print_panel(session, object, data_object_name(session, &names, object), &metrics, &values);
	}
	free(found);
	table_free(&names);
	if (good)
		return true;
	return count ? session_error(session, "`%s' names %" PRIu32 " data objects: there is no number %s", argv[0],
			       count, argv[1])
		     : session_error(session, "No data object with given name `%s' found.", argv[0]);
}

bool command_data_single(struct session *session, unsigned argc, char **argv)
{
	struct error error;
	struct expression *expression = expression_parse(DATA_OBJECT, 0, 0, &error);
	session_prepare(session, expression);
	struct index_sums *sums =
		index_sums_compute(session->data, session_table(session), session_filter(session), expression);
	bool good = print_named(session, sums, expression_data_objects(expression), argc, argv);
	index_sums_free(sums);
	expression_free(expression);
	return good;
}
