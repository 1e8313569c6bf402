/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lists of source lines and of pcs. */
#include "base_name.h"
#include "command_functions.h"
#include "instruction_starts.h"
#include "list_view.h"
#include "summary_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint32_t key_line(const void *context, const struct frame *frame)
{
	(void)context;
	return frame->function == FUNCTION_TOTAL ? NO_KEY : frame->line;
}

static uint32_t line_function(struct session *session, const void *context, uint32_t key)
{
	(void)context;
	return resolver_line(session->resolver, key)->function;
}

static const char *line_row_name(struct session *session, struct table *table, const void *context, uint32_t key)
{
	(void)context;
	return session_line_name(session, table, key);
}

static void add_line_identity(
	struct session *session, struct facts *facts, const struct list_view *view, uint32_t key, size_t width)
{
	(void)view;
	const struct source_line *line = resolver_line(session->resolver, key);
	const char *source = resolver_file(session->resolver, line->file);
	summary_add_text(facts, "Source File", *source ? source : "(unknown)", width);
	summary_add_object(session, facts, line->function, width);
}

/* The list of lines, or their panels. */
static void show_lines(struct session *session, bool summary)
{
	if (summary)
		session_want_all(session);
	const struct path_tree *tree = session_tree(session);
	struct key_sums *sums = key_sums_compute(tree, resolver_line_count(session->resolver), key_line, 0);
	struct list_view view = {
		.title = "Lines", .sums = sums, .name = line_row_name, .function = line_function, .code = true};
	if (summary)
		summary_print_list(session, &view, add_line_identity);
	else
		list_view_print(session, &view);
	key_sums_free(sums);
}

bool command_lines(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	show_lines(session, false);
	return true;
}

bool command_lsummary(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	show_lines(session, true);
	return true;
}

/* Keys of pcs: the address's number, and after all addresses the functions that have none. */
static uint32_t key_pc(const void *context, const struct frame *frame)
{
	const struct instruction_starts *starts = context;
	if (frame->function == FUNCTION_TOTAL)
		return NO_KEY;
	if (frame->address == NO_ADDRESS)
		return starts->address_count + frame->function;
	return starts->start_of[frame->address];
}

/* The function whose code it is: the outermost frame at the address. */
static uint32_t pc_function(struct session *session, const void *context, uint32_t key)
{
	const struct instruction_starts *starts = context;
	(void)session;
	return key >= starts->address_count ? key - starts->address_count : starts->function_of[key];
}

static const char *pc_name(struct session *session, struct table *table, const void *context, uint32_t key)
{
	const struct instruction_starts *starts = context;
	uint32_t index = pc_function(session, context, key);
	const struct function *function = resolver_function(session->resolver, index);
	const char *name = session_plain_name(session, table, index), *told = distinct_name(&starts->names, index);
	if (told)
		name = table_text(table, "%s (%s)", name, told);
	if (key >= starts->address_count)
		return name;
	uint64_t offset = starts->offset_of[key];
	return table_text(table, "%s + 0x%08" PRIX64, name, function->artificial ? offset : offset - function->start);
}

static void add_pc_identity(
	struct session *session, struct facts *facts, const struct list_view *view, uint32_t key, size_t width)
{
	const struct instruction_starts *starts = view->context;
	uint32_t function = pc_function(session, starts, key);
	char address[64];
	snprintf(address, sizeof address, "%" PRIu32 ":0x%08" PRIx64,
		resolver_function(session->resolver, function)->object + 1,
		key < starts->address_count ? starts->offset_of[key] : 0);
	summary_add_text(facts, "PC Address", address, width);
	summary_add_object(session, facts, function, width);
}

/* The list of pcs, or their panels. */
static void show_pcs(struct session *session, bool summary)
{
	if (summary)
		session_want_all(session);
	const struct path_tree *tree = session_tree(session);
	struct instruction_starts starts = instruction_starts_find(session);
	uint32_t keys = starts.address_count + resolver_function_count(session->resolver);
	struct key_sums *sums = key_sums_compute(tree, keys, key_pc, &starts);
	struct list_view view = {.title = "PCs",
		.sums = sums,
		.context = &starts,
		.name = pc_name,
		.function = pc_function,
		.code = true};
	if (summary)
		summary_print_list(session, &view, add_pc_identity);
	else
		list_view_print(session, &view);
	key_sums_free(sums);
	instruction_starts_free(&starts);
}

bool command_pcs(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	show_pcs(session, false);
	return true;
}

bool command_psummary(struct session *session, unsigned argc, char **argv)
{
	(void)argc;
	(void)argv;
	show_pcs(session, true);
	return true;
}
