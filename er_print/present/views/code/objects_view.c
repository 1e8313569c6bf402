/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The load objects with their sums, and what went wrong when they were read. */
#include "command_functions.h"
#include "list_view.h"

#include <inttypes.h>
#include <string.h>

/* The text of the first of its builds that has one. */
static const char *remark_of(struct session *session, uint32_t shown)
{
	uint32_t builds;
	if (resolver_shown_object(session->resolver, shown, &builds) == shown && builds == 1)
		return resolver_object_remark(session->resolver, shown);
	for (uint32_t o = shown; o < session->data->object_count; o++)
		if (resolver_shown_object(session->resolver, o, 0) == shown &&
			*resolver_object_remark(session->resolver, o))
			return resolver_object_remark(session->resolver, o);
	return "";
}

/* Whether another object with the same path is a row of its own. */
static bool shares_path(const struct session *session, uint32_t object)
{
	const struct load_object *objects = session->data->objects;
	for (uint32_t o = 0; o < session->data->object_count; o++)
		if (o != object && objects[o].type == OBJECT_FILE && !strcmp(objects[o].path, objects[object].path) &&
			resolver_shown_object(session->resolver, o, 0) == o)
			return true;
	return false;
}

static const char *file_name(struct session *session, struct table *table, uint32_t key)
{
	uint32_t builds;
	const struct load_object *object = &session->data->objects[key];
	const char *name = resolver_object_name(session->resolver, key);
	resolver_shown_object(session->resolver, key, &builds);
	if (builds > 1)
		return table_text(table, "%s (%s, %" PRIu32 " builds)", name, object->path, builds);
	if (*object->build_id && shares_path(session, key))
		return table_text(table, "%s (%s, build %.8s)", name, object->path, object->build_id);
	return table_text(table, "%s (%s)", name, object->path);
}

static const char *object_name(struct session *session, struct table *table, const void *context, uint32_t key)
{
	(void)context;
	const struct load_object *object = &session->data->objects[key];
	const char *name = object->type == OBJECT_TOTAL ? "<no load object>" /* of <no stack> and its like */
							: resolver_object_name(session->resolver, key);
	const char *remark = remark_of(session, key);
	const char *shown =
		load_object_is_of_file(object) ? file_name(session, table, key) : table_text(table, "%s", name);
	return *remark ? table_text(table, "%s *** %s", shown, remark) : shown;
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
	list_view_print(
		session, &(struct list_view){.title = "Objects", .sums = sums, .name = object_name, .code = true});
	key_sums_free(sums);
	return true;
}
