/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words for data objects. */
#include "data_names.h"
#include "base_name.h"

#include <string.h>

/* Variables of libraries are followed by these; those of the program itself are not. */
static bool is_library(const struct session *session, uint32_t object)
{
	const char *path = session->data->objects[object].path;
	for (uint32_t e = 0; e < session->data->experiment_count; e++) {
		const char *executable = session->data->experiments[e].file->process.executable;
		if (executable && !strcmp(executable, path))
			return false;
	}
	return true;
}

/* The line that allocated, or the function where its lines are not known. */
static const char *place_name(const struct session *session, struct table *table, uint32_t line)
{
	const struct source_line *source = resolver_line(session->resolver, line);
	return source->line == NO_LINE ? session_function_name(session, table, source->function)
				       : session_line_name(session, table, line);
}

static const char *variable_name(const struct session *session, struct table *table, const struct data_object *object)
{
	const char *name = object->variable->name;
	if (object->member != NO_MEMBER)
		name = table_text(table, "%s%s", name, object->variable->members[object->member].path);
	if (!is_library(session, object->object))
		return name;
	return table_text(table, "%s (%s)", name, base_name(session->data->objects[object->object].path));
}

const char *data_object_name(const struct session *session, struct table *table, const struct data_object *object)
{
	const char *path = session->data->objects[object->object].path;
	switch (object->class) {
	case DATA_NO_ADDRESS:
		return "<No data address>";
	case DATA_KERNEL:
		return "<Kernel>";
	case DATA_STACK:
		return "<Stack>";
	case DATA_COLLECTOR:
		return "<collector>";
	case DATA_VARIABLE:
		return variable_name(session, table, object);
	case DATA_NAMELESS:
		return table_text(table, "<Without a symbol in %s>", base_name(path));
	case DATA_BLOCK:
		return table_text(table, "<Allocated in %s>", place_name(session, table, object->line));
	default:
		return "<Unknown>";
	}
}
