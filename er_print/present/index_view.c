/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists by index objects, and the commands about them. */
#include "commands.h"
#include "index_sums.h"
#include "list_view.h"

#include <string.h>

struct index_list {
	const struct index_sums *sums;
	enum index_row row;
};

static const char *row_name(struct session *session, struct table *table, const void *context, uint32_t key)
{
	const struct index_list *list = context;
	return index_object_row(session, table, list->row, list->sums->values[key]);
}

static uint32_t no_function(struct session *session, const void *context, uint32_t key)
{
	(void)session;
	(void)context;
	(void)key;
	return NO_KEY;
}

/* An index value is nobody's caller: exclusive metrics only, each once, and no size or address. */
static void exclusive_list(struct metric_list *list, const struct metric_list *from)
{
	list->count = 0;
	for (unsigned i = 0; i < from->count; i++) {
		struct metric_item item = from->items[i];
		if (item.type == ITEM_SIZE || item.type == ITEM_ADDRESS)
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

static bool show(struct session *session, const struct index_object *object)
{
	struct error error;
	struct expression *expression =
		expression_parse(object->text, index_object_text, &session->index_objects, &error);
	if (!expression)
		return session_error(session, "%s: %s", object->name, error.text);
	session_prepare(session, expression);
	struct index_sums *sums =
		index_sums_compute(session->data, session_table(session), session_filter(session), expression);
	struct metric_list list;
	exclusive_list(&list, &session->metrics);
	struct metric_item sorted = session->sort.item;
	if (sorted.type == ITEM_METRIC)
		sorted.flavour = EXCLUSIVE;
	else if (sorted.type != ITEM_NAME)
		sorted = (struct metric_item){.type = ITEM_NAME, .show = SHOW_VALUE};
	list_view_print(session, &(struct list_view){.title = "Objects",
					 .sums = &sums->sums,
					 .context = &(struct index_list){sums, object->row},
					 .name = row_name,
					 .function = no_function,
					 .metrics = &list,
					 .sorted = &sorted});
	index_sums_free(sums);
	expression_free(expression);
	return true;
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

bool command_indxobj_list(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	fprintf(session->out, "Index objects:\n");
	for (unsigned i = 0; i < session->index_objects.count; i++) {
		const struct index_object *object = &session->index_objects.objects[i];
		fprintf(session->out, "  %-16s %s\n", object->name, object->text);
	}
	return true;
}

bool command_indxobj_define(struct session *session, unsigned argc, char **argv)
{
	struct error error;
	if (argc < 2)
		return session_error(session, "Invalid argument to command: indxobj_define: a name and an expression");
	if (!index_object_define(&session->index_objects, argv[0], argv[1], &error))
		return session_error(session, "Invalid argument to command: indxobj_define %s", error.text);
	return true;
}
