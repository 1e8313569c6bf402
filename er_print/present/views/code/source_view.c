/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Annotated source: the whole file with the metrics of each line that has code, index lines where functions begin. */
#include "base_name.h"
#include "command_functions.h"
#include "hot_rows.h"
#include "list_view.h"
#include "metric_columns.h"
#include "source_target.h"
#include "source_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct source_view {
	struct session *session;
	struct table table;
	uint32_t file;
	struct source_text text;
	uint32_t *code_lines, code_line_count, next_code_line;
	uint32_t *functions, function_count, next_function;
	struct key_sums *sums; /* by line number */
	uint64_t *limits;
};

static uint32_t key_line_of_file(const void *context, const struct frame *frame)
{
	const struct source_view *view = context;
	const struct source_line *line = resolver_line(view->session->resolver, frame->line);
	return frame->function != FUNCTION_TOTAL && line->file == view->file && line->line ? line->line : NO_KEY;
}

static uint32_t last_line(const struct source_view *view)
{
	uint32_t last = view->text.count;
	if (view->code_line_count && view->code_lines[view->code_line_count - 1] > last)
		last = view->code_lines[view->code_line_count - 1];
	for (uint32_t l = 0; l < resolver_line_count(view->session->resolver); l++) {
		const struct source_line *line = resolver_line(view->session->resolver, l);
		if (line->file == view->file && line->line > last && line->line < INT32_MAX / 64)
			last = line->line;
	}
	return last;
}

static void add_index_line(struct source_view *view, const struct metric_values *values, const char *text)
{
	struct cell *row = table_row(&view->table,
		values && is_hot(view->session, view->session->source_threshold, view->limits, values) ? ROW_HOT
												       : ROW_PLAIN);
	metric_columns_fill(
		view->session, row, &view->session->metrics, values, table_text(&view->table, "        %s", text));
}

/* How many of the functions from `first` on begin at the same line under the same name (clones, copies in several load
   objects, a copy beside inlined ones), and whether one of them has code of its own. */
static uint32_t same_functions(const struct source_view *view, uint32_t first, bool *has_own_code)
{
	const struct resolver *resolver = view->session->resolver;
	const struct function *function = resolver_function(resolver, view->functions[first]);
	uint32_t count = 0;
	*has_own_code = false;
	for (uint32_t i = first; i < view->function_count; i++, count++) {
		const struct function *other = resolver_function(resolver, view->functions[i]);
		if (other->first_line != function->first_line || strcmp(other->long_name, function->long_name) != 0)
			break;
		*has_own_code |= other->size != 0;
	}
	return count;
}

/* An index line for each function that begins at the line. */
static void add_functions_at(struct source_view *view, uint32_t line)
{
	while (view->next_function < view->function_count) {
		uint32_t index = view->functions[view->next_function];
		const struct function *function = resolver_function(view->session->resolver, index);
		if (function->first_line > line)
			return;
		bool has_own_code;
		view->next_function += same_functions(view, view->next_function, &has_own_code);
		if (function->first_line)
			add_index_line(view, 0,
				table_text(&view->table, "<Function: %s%s>",
					session_function_name(view->session, &view->table, index),
					has_own_code ? "" : ", inlined"));
	}
}

static bool has_code(struct source_view *view, uint32_t line)
{
	while (view->next_code_line < view->code_line_count && view->code_lines[view->next_code_line] < line)
		view->next_code_line++;
	return (view->next_code_line < view->code_line_count && view->code_lines[view->next_code_line] == line) ||
	       view->sums->seen[line];
}

static void add_lines(struct source_view *view, uint32_t last)
{
	for (uint32_t line = 1; line <= last; line++) {
		bool code = has_code(view, line);
		add_functions_at(view, line);
		if (!view->text.path && !(code && key_has_sum(view->sums, line)))
			continue; /* there is nothing to show */
		struct metric_values values = {.exclusive = view->sums->exclusive,
			.inclusive = view->sums->inclusive,
			.index = line,
			.function = NO_KEY};
		bool hot = code && is_hot(view->session, view->session->source_threshold, view->limits, &values);
		const char *text =
			table_text(&view->table, "%6" PRIu32 ". %s", line, source_text_line(&view->text, line));
		struct cell *row = table_row(&view->table, hot ? ROW_HOT : ROW_PLAIN);
		metric_columns_fill(view->session, row, &view->session->metrics, code ? &values : 0, text);
	}
}

/* Code of the file's functions that lies on no line of the file: keys are numbers of source lines. */
static uint32_t key_elsewhere(const void *context, const struct frame *frame)
{
	const struct source_view *view = context;
	const struct source_line *line = resolver_line(view->session->resolver, frame->line);
	if (frame->function == FUNCTION_TOTAL ||
		resolver_function(view->session->resolver, frame->function)->file != view->file)
		return NO_KEY;
	return line->line == NO_LINE || line->file != view->file ? frame->line : NO_KEY;
}

static const char *elsewhere_text(struct source_view *view, uint32_t key)
{
	const struct source_line *line = resolver_line(view->session->resolver, key);
	const char *name = session_function_name(view->session, &view->table, line->function);
	if (line->line == NO_LINE)
		return table_text(&view->table, "<Function: %s, instructions without line numbers>", name);
	return table_text(&view->table, "<Function: %s, instructions from source file %s, line %" PRIu32 ">", name,
		resolver_file(view->session->resolver, line->file), line->line);
}

static void add_elsewhere(struct source_view *view)
{
	struct key_sums *sums = key_sums_compute(
		session_tree(view->session), resolver_line_count(view->session->resolver), key_elsewhere, view);
	for (uint32_t key = 0; key < sums->key_count; key++) {
		if (!sums->seen[key] || !key_has_sum(sums, key))
			continue;
		struct metric_values values = {
			.exclusive = sums->exclusive, .inclusive = sums->inclusive, .index = key, .function = NO_KEY};
		add_index_line(view, &values, elsewhere_text(view, key));
	}
	key_sums_free(sums);
}

static void add_preamble(struct source_view *view, const struct source_target *target)
{
	struct session *session = view->session;
	const char *path = resolver_file(session->resolver, view->file);
	const char *found = view->text.path;
	table_preamble(&view->table, !found ? table_text(&view->table,
						      "Source file: %s (not found: only lines with metrics are shown; "
						      "if only the experiment names it, "
						      "addpath, setpath or pathmap allows it)",
						      path)
				     : strcmp(found, path)
					     ? table_text(&view->table, "Source file: %s (found as %s)", path, found)
					     : table_text(&view->table, "Source file: %s", path));
	uint32_t function = target->is_file && view->function_count ? view->functions[0] : target->function;
	if (!target->is_file || view->function_count) {
		const char *object =
			session->data->objects[resolver_function(session->resolver, function)->object].path;
		table_preamble(&view->table, table_text(&view->table, "Object file: %s", base_name(object)));
		table_preamble(&view->table, table_text(&view->table, "Load Object: %s", object));
		const char *warning = found ? source_text_warning(session->resolver, view->file, function) : 0;
		if (warning)
			table_preamble(&view->table, warning);
	}
	table_preamble(&view->table, "");
}

bool command_source(struct session *session, unsigned argc, char **argv)
{
	struct source_target target;
	if (!source_target_find(session, argv[0], argc > 1 ? argv[1] : 0, &target))
		return false;
	if (!target.file)
		return session_error(session, "Source location not recorded in experiment: %s", argv[0]);
	const struct path_tree *tree = session_tree(session);
	struct source_view view = {.session = session, .table = {.marked = true}, .file = target.file};
	view.text = source_text_read(session->resolver, target.file);
	view.functions = resolver_functions_of_file(session->resolver, target.file, &view.function_count);
	view.code_lines = resolver_code_lines(session->resolver, target.file, &view.code_line_count);
	uint32_t last = last_line(&view);
	view.sums = key_sums_compute(tree, last + 1, key_line_of_file, &view);
	view.limits = hot_limits(session, view.sums);
	add_preamble(&view, &target);
	metric_columns_add(session, &view.table, &session->metrics, &session->sort.item, COLUMN_CODE, "");
	add_lines(&view, last);
	add_elsewhere(&view);
	session_print(session, &view.table);
	key_sums_free(view.sums);
	free(view.limits);
	free(view.functions);
	free(view.code_lines);
	source_text_free(&view.text);
	return true;
}
