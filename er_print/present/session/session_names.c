/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of functions and lines, as the settings ask for them. */
#include "base_name.h"
#include "session.h"

#include <inttypes.h>

const char *session_plain_name(const struct session *session, struct table *table, uint32_t function)
{
	const struct function *what = resolver_function(session->resolver, function);
	const char *short_name = what->outlined_of ? what->outlined_short : what->short_name;
	const char *name = session->name_style == NAME_SHORT     ? short_name
			   : session->name_style == NAME_MANGLED ? what->mangled
			   : what->outlined_of                   ? what->outlined_long
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

/* A line whose function is called so. */
static const char *line_name(
	const struct session *session, struct table *table, const struct source_line *line, const char *function)
{
	if (resolver_function(session->resolver, line->function)->artificial)
		return function;
	if (line->line == NO_LINE)
		return table_text(table, "<Function: %s, instructions without line numbers>", function);
	return table_text(table, "%s, line %" PRIu32 " in \"%s\"", function, line->line,
		base_name(resolver_file(session->resolver, line->file)));
}

const char *session_line_name(const struct session *session, struct table *table, uint32_t index)
{
	const struct source_line *line = resolver_line(session->resolver, index);
	return line_name(session, table, line, session_function_name(session, table, line->function));
}

const char *session_plain_line_name(const struct session *session, struct table *table, uint32_t index)
{
	const struct source_line *line = resolver_line(session->resolver, index);
	return line_name(session, table, line, session_plain_name(session, table, line->function));
}
