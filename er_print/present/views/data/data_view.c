/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of the data space: what the addresses were that counters recorded, as variables, allocations and stacks. */
#include "command_functions.h"
#include "data_lists.h"
#include "data_names.h"
#include "index_list.h"
#include "index_sums.h"
#include "metric_columns.h"
#include "summary_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
		session, &(struct index_list){.title = "Data Objects", .text = "DOBJ", .name = row_name});
}

static void add_number(struct facts *facts, const char *label, uint64_t value, size_t width)
{
	char text[64];
	snprintf(text, sizeof text, "%" PRIu64, value);
	summary_add_text(facts, label, text, width);
}

/* Adds what the type and the debug information tell; for a member its own part of that. */
static void add_variable(struct session *session, struct facts *facts, const struct data_object *object, size_t width)
{
	const struct data_variable *variable = object->variable;
	bool whole = object->member == NO_MEMBER;
	const struct data_member *member = whole ? 0 : &variable->members[object->member];
	const char *type = whole ? variable->type : member->type,
		   *file = resolver_file(session->resolver, variable->file);
	char address[32];
	if (*type)
		summary_add_text(facts, "Type", type, width);
	add_number(facts, "Size", whole ? variable->size : member->size, width);
	if (!whole)
		add_number(facts, "Offset", member->offset, width);
	snprintf(address, sizeof address, "0x%08" PRIx64, variable->start);
	summary_add_text(facts, "Address", address, width);
	if (*file)
		summary_add_text(facts, "Source File", file, width);
	if (*file && variable->line)
		add_number(facts, "Line", variable->line, width);
}

static void add_panel(struct session *session, struct facts *facts, const struct data_object *object, const char *name,
	const struct metric_list *metrics, const struct metric_values *values)
{
	size_t width = strlen("Load Object");
	struct metric_context context = session_metrics(session);
	char title[128];
	for (unsigned i = 0; i + 1 < metrics->count; i++) {
		metric_item_title(&metrics->items[i], &context, title, sizeof title);
		width = strlen(title) > width ? strlen(title) : width;
	}
	fprintf(facts->text, "%s\n", name);
	facts_subject(facts, "%s", name);
	for (unsigned i = 0; i + 1 < metrics->count; i++)
		summary_add_metric(session, facts, &metrics->items[i], values, width);
	if (object->class == DATA_VARIABLE)
		add_variable(session, facts, object, width);
	if (object->class == DATA_VARIABLE || object->class == DATA_NAMELESS)
		summary_add_text(facts, "Load Object", session->data->objects[object->object].path, width);
}

/* The places in `sums` of the objects of that name, in the order of their numbers. */
static uint32_t *find_named(struct session *session, const struct index_sums *sums, const struct data_objects *objects,
	const char *name, uint32_t *count)
{
	struct table names = {0};
	uint32_t *found = memory_new(sums->count, sizeof *found);
	*count = 0;
	for (uint32_t place = 0; place < sums->count; place++) {
		const struct data_object *object = data_objects_get(objects, (uint32_t)sums->values[place]);
		if (!strcmp(data_object_name(session, &names, object), name) ||
			(object->class == DATA_VARIABLE && object->member == NO_MEMBER &&
				!strcmp(object->variable->name, name)))
			found[(*count)++] = place;
	}
	table_free(&names);
	return found;
}

/* Which of several is meant: all if no number says so. */
static bool print_found(struct session *session, const struct index_sums *sums, const struct data_objects *objects,
	const uint32_t *found, uint32_t count, unsigned argc, char **argv)
{
	struct facts facts;
	struct metric_list metrics;
	struct metric_item sorted;
	char *end = 0;
	unsigned long number = argc > 1 ? strtoul(argv[1], &end, 10) : 0;
	if (!data_metrics(session, &metrics, &sorted))
		return false;
	if (argc > 1 && (*end || number < 1 || number > count))
		return session_error(
			session, "`%s' names %" PRIu32 " data objects: there is no number %s", argv[0], count, argv[1]);
	facts_begin(&facts, "Summary of data objects");
	for (uint32_t i = 0; i < count; i++) {
		if (number && i + 1 != number)
			continue;
		const struct data_object *object = data_objects_get(objects, (uint32_t)sums->values[found[i]]);
		struct metric_values values = {.exclusive = sums->sums.exclusive,
			.inclusive = sums->sums.inclusive,
			.index = found[i],
			.function = NO_KEY};
		if (i && !number)
			putc('\n', facts.text);
		add_panel(session, &facts, object, data_object_name(session, &facts.table, object), &metrics, &values);
	}
	struct table table = facts_end(&facts);
	session_print(session, &table);
	return true;
}

/* Finds it among those that an expression numbers. False if none has the name. */
static bool print_named(struct session *session, const char *text, unsigned argc, char **argv, bool *good)
{
	struct error error;
	struct expression *expression = expression_parse(text, 0, 0, &error);
	session_prepare(session, expression);
	const struct data_objects *objects = expression_data_objects(expression);
	struct index_sums *sums = index_sums_compute(session->data, session_sum_table(session), session_filter(session),
		session_wanted(session), expression);
	uint32_t count, *found = find_named(session, sums, objects, argv[0], &count);
	if (count)
		*good = print_found(session, sums, objects, found, count, argc, argv);
	free(found);
	index_sums_free(sums);
	expression_free(expression);
	return count != 0;
}

bool command_data_single(struct session *session, unsigned argc, char **argv)
{
	struct metric_list metrics;
	struct metric_item sorted;
	bool good = true;
	if (!data_metrics(session, &metrics, &sorted))
		return false;
	if (print_named(session, "DOBJ", argc, argv, &good) || print_named(session, "DMEMBER", argc, argv, &good))
		return good;
	return session_error(session, "No data object with given name `%s' found.", argv[0]);
}
