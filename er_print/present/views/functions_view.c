/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The function list. */
#include "functions_view.h"
#include "command_functions.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

static const char *function_row_name(struct session *session, struct table *table, const void *context, uint32_t key)
{
	(void)context;
	return key == FUNCTION_TOTAL ? 0 : session_function_name(session, table, key);
}

static uint32_t function_itself(struct session *session, const void *context, uint32_t key)
{
	(void)session;
	(void)context;
	return key;
}

struct list_view functions_view(struct session *session)
{
	return (struct list_view){.title = "Functions",
		.sums = session_functions(session),
		.name = function_row_name,
		.function = function_itself,
		.code = true};
}

uint32_t *functions_in_order(struct session *session, size_t *count)
{
	struct list_view view = functions_view(session);
	uint32_t *functions = list_view_keys(session, &view, count);
	bool reversed = session->sort.reversed;
	functions = memory_resize(functions, *count + 1, sizeof *functions);
	memmove(functions + !reversed, functions, *count * sizeof *functions);
	functions[reversed ? *count : 0] = FUNCTION_TOTAL;
	++*count;
	return functions;
}

bool command_functions(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct list_view view = functions_view(session);
	list_view_print(session, &view);
	return true;
}
