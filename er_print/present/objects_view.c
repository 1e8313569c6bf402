/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The load objects with their sums, and what went wrong when they were read. */
#include "commands.h"
#include "list_view.h"

static const char *object_name(struct session *session, struct table *table, const void *context, uint32_t key)
{
	(void)context;
	const struct load_object *object = &session->data->objects[key];
	const char *name = object->type == OBJECT_TOTAL ? "<no load object>" /* of <no stack> and its like */
							: resolver_object_name(session->resolver, key);
	const char *remark = resolver_object_remark(session->resolver, key);
	const char *shown = object->type == OBJECT_FILE ? table_text(table, "%s (%s)", name, object->path)
							: table_text(table, "%s", name);
	return *remark ? table_text(table, "%s *** %s", shown, remark) : shown;
}

static uint32_t no_function(struct session *session, const void *context, uint32_t key)
{
	(void)session;
	(void)context;
	(void)key;
	return NO_KEY;
}

/* <Total> itself is a function of the object that holds the artificial functions; its row is the total already. */
static uint32_t key_real_object(const void *context, const struct frame *frame)
{
	return frame->function == FUNCTION_TOTAL ? NO_KEY : key_object(context, frame);
}

bool command_objects(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	const struct path_tree *tree = session_tree(session);
	struct key_sums *sums = key_sums_compute(tree, session->data->object_count, key_real_object, session->resolver);
	list_view_print(session,
		&(struct list_view){.title = "Objects", .sums = sums, .name = object_name, .function = no_function});
	key_sums_free(sums);
	return true;
}
