/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Annotated disassembly: the instructions of a function with their metrics, source lines between them. */
#include "base_name.h"
#include "command_functions.h"
#include "hot_rows.h"
#include "list_view.h"
#include "metric_columns.h"
#include "search.h"
#include "source_target.h"
#include "source_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An instruction with its place in the source. */
struct placed {
	uint64_t offset;
	unsigned size;
	uint32_t function, file, line;
	const char *text; /* the table's */
};
struct disasm_view {
	struct session *session;
	struct table table;
	struct disasm_source {
		bool read;
		struct source_text text;
	} * texts; /* by file, read when needed */
	uint32_t file_count;
	uint32_t *key_of; /* [address] the instruction it belongs to, or NO_KEY */
	uint32_t address_count;
	struct distinct_names names; /* of the functions that are shown */
	uint32_t file, line;         /* of the last source line that was shown */
};

static uint32_t key_instruction(const void *context, const struct frame *frame)
{
	const struct disasm_view *view = context;
	return frame->address < view->address_count ? view->key_of[frame->address] : NO_KEY;
}

static const struct source_text *text_of(struct disasm_view *view, uint32_t file)
{
	if (file >= view->file_count) {
		uint32_t count = resolver_file_count(view->session->resolver);
		view->texts = memory_resize(view->texts, count, sizeof *view->texts);
		for (; view->file_count < count; view->file_count++)
			view->texts[view->file_count] = (struct disasm_source){0};
	}
	struct disasm_source *source = &view->texts[file];
	if (!source->read)
		source->text = source_text_read(view->session->resolver, file);
	source->read = true;
	return &source->text;
}

static void add_text_row(struct disasm_view *view, const char *text)
{
	metric_columns_fill(view->session, table_row(&view->table, ROW_PLAIN), &view->session->metrics, 0, text);
}

static void add_source_row(struct disasm_view *view, uint32_t file, uint32_t line)
{
	add_text_row(
		view, table_text(&view->table, "%6" PRIu32 ". %s", line, source_text_line(text_of(view, file), line)));
	view->file = file;
	view->line = line;
}

/* The lines up to that of the instruction: those that were skipped on the way down in the same file belong to it too.
   */
static void add_source(struct disasm_view *view, const struct placed *placed, const struct function *function)
{
	if (!placed->line || (placed->file == view->file && placed->line == view->line))
		return;
	bool found = text_of(view, placed->file)->path != 0;
	if (placed->file != function->file && placed->file != view->file)
		add_text_row(view,
			table_text(&view->table, "        <Function: %s, instructions from source file %s%s>",
				session_function_name(view->session, &view->table, placed->function),
				resolver_file(view->session->resolver, placed->file), found ? "" : " (not found)"));
	enum { GAP_MAX = 20 };
	uint32_t first = placed->line;
	if (placed->file == view->file && placed->line > view->line && placed->line - view->line <= GAP_MAX)
		first = view->line + 1;
	for (uint32_t line = first; found && line <= placed->line; line++)
		add_source_row(view, placed->file, line);
	view->file = placed->file;
	view->line = placed->line;
}

/* All instructions of a function; *count of them. An instruction that cannot be decoded ends the list, *error says
   why. */
static struct placed *read_instructions(
	struct disasm_view *view, const struct function *function, uint32_t *count, struct error *error)
{
	struct placed *placed = 0;
	size_t capacity = 0;
	struct instruction instruction;
	struct frame frames[FRAMES_MAX];
	uint64_t end = function->start + function->size;
	*count = 0;
	error->text[0] = 0;
	for (uint64_t at = function->start; at < end; at += instruction.size) {
		if (!resolver_disassemble(view->session->resolver, function->object, at, end, &instruction, error))
			break;
		resolver_address_frames(view->session->resolver, function->object, at, frames);
		const struct source_line *line = resolver_line(view->session->resolver, frames[0].line);
		memory_reserve(placed, *count, capacity);
		placed[(*count)++] = (struct placed){at, instruction.size, frames[0].function, line->file, line->line,
			table_text(&view->table, "%s", instruction.text)};
	}
	return placed;
}

/* Which of the instructions each address lies in. */
static void place_addresses(struct disasm_view *view, uint32_t object, const struct placed *placed, uint32_t count)
{
	const struct data *data = view->session->data;
	view->address_count = data->address_count;
	view->key_of = memory_new(view->address_count, sizeof *view->key_of);
	for (uint32_t a = 0; a < view->address_count; a++) {
		uint64_t offset = data->addresses[a].offset;
		view->key_of[a] = NO_KEY;
		if (data->addresses[a].object != object)
			continue;
		uint32_t first = FIRST_WHERE(i, count, placed[i].offset + placed[i].size > offset);
		if (first < count && offset >= placed[first].offset)
			view->key_of[a] = first;
	}
}

static void add_instructions(
	struct disasm_view *view, const struct function *function, const struct placed *placed, uint32_t count)
{
	struct key_sums *sums = key_sums_compute(session_tree(view->session), count, key_instruction, view);
	uint64_t *limits = hot_limits(view->session, sums);
	for (uint32_t i = 0; i < count; i++) {
		char line[16] = " ?";
		if (placed[i].line)
			snprintf(line, sizeof line, "%2" PRIu32, placed[i].line);
		add_source(view, &placed[i], function);
		const char *text = table_text(
			&view->table, "        [%s] %8" PRIx64 ":  %s", line, placed[i].offset, placed[i].text);
		struct metric_values values = {
			.exclusive = sums->exclusive, .inclusive = sums->inclusive, .index = i, .function = NO_KEY};
		bool hot = is_hot(view->session, view->session->disasm_threshold, limits, &values);
		metric_columns_fill(view->session, table_row(&view->table, hot ? ROW_HOT : ROW_PLAIN),
			&view->session->metrics, &values, text);
	}
	free(limits);
	key_sums_free(sums);
}

static bool add_function(struct disasm_view *view, uint32_t index, struct error *error)
{
	const struct function *function = resolver_function(view->session->resolver, index);
	uint32_t count;
	struct placed *placed = read_instructions(view, function, &count, error);
	view->file = function->file;
	view->line = 0;
	if (function->first_line && count && text_of(view, function->file)->path)
		add_source_row(view, function->file, function->first_line);
	const char *told = distinct_name(&view->names, index);
	const char *name = session_plain_name(view->session, &view->table, index);
	add_text_row(view, table_text(&view->table, "        <Function: %s%s%s%s>", name, told ? " (" : "",
				   told ? told : "", told ? ")" : ""));
	place_addresses(view, function->object, placed, count);
	add_instructions(view, function, placed, count);
	free(view->key_of);
	free(placed);
	return count > 0;
}

static void add_preamble(struct disasm_view *view, const struct source_target *target, uint32_t function)
{
	struct session *session = view->session;
	const char *object = session->data->objects[resolver_function(session->resolver, function)->object].path;
	const char *source = resolver_file(session->resolver, target->file);
	bool found = text_of(view, target->file)->path != 0;
	table_preamble(&view->table, table_text(&view->table, "Source file: %s%s", *source ? source : "(unknown)",
					     found || !*source ? "" : " (not found)"));
	table_preamble(&view->table, table_text(&view->table, "Object file: %s", base_name(object)));
	table_preamble(&view->table, table_text(&view->table, "Load Object: %s", object));
	const char *warning = found ? source_text_warning(session->resolver, target->file, function) : 0;
	if (warning)
		table_preamble(&view->table, warning);
	table_preamble(&view->table, "");
}

static void free_texts(struct disasm_view *view)
{
	for (uint32_t f = 0; f < view->file_count; f++)
		source_text_free(&view->texts[f].text);
	free(view->texts);
}

/* The functions to show: the one that was named, in each of its builds that was met, or those with code that the file
   defines. The caller frees the array. */
static uint32_t *functions_of(struct session *session, const struct source_target *target, uint32_t *count)
{
	uint32_t *functions;
	if (target->is_file) {
		functions = resolver_functions_of_file(session->resolver, target->file, count);
		uint32_t kept = 0;
		for (uint32_t i = 0; i < *count; i++)
			if (resolver_function(session->resolver, functions[i])->size)
				functions[kept++] = functions[i];
		*count = kept;
		return functions;
	}
	functions = 0;
	*count = 0;
	for (uint32_t f = target->function; f; f = resolver_next_build(session->resolver, f)) {
		if (!resolver_function(session->resolver, f)->size)
			continue;
		functions = memory_room(functions, *count, sizeof *functions);
		functions[(*count)++] = f;
	}
	return functions;
}

bool command_disasm(struct session *session, unsigned argc, char **argv)
{
	struct source_target target;
	struct error error = {""};
	uint32_t count;
	if (!source_target_find(session, argv[0], argc > 1 ? argv[1] : 0, &target))
		return false;
	uint32_t *functions = functions_of(session, &target, &count);
	if (!count) {
		free(functions);
		return session_error(session, "%s has no instructions of its own: it was only inlined", argv[0]);
	}
	struct disasm_view view = {.session = session, .table = {.marked = true}};
	metric_columns_add(session, &view.table, &session->metrics, &session->sort.item, COLUMN_CODE, "");
	add_preamble(&view, &target, functions[0]);
	view.names = distinct_names_find(session, functions, count);
	unsigned shown = 0;
	for (uint32_t i = 0; i < count; i++)
		shown += add_function(&view, functions[i], &error);
	free(functions);
	free_texts(&view);
	distinct_names_free(&view.names);
	if (!shown) {
		table_free(&view.table);
		return session_error(session, "%s", error.text);
	}
	session_print(session, &view.table);
	return true;
}
