/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a session's tables and errors go, and the lines under a table about what was not recorded and what is an estimate. */
#include "clean_output.h"
#include "coverage_text.h"
#include "missing_objects.h"
#include "plain_text.h"
#include "session.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 3, 0))) static void say(
	const struct session *session, const char *class, const char *format, va_list arguments)
{
	fflush(session->out);
	fprintf(stderr, "%s: ", class);
	vfprintf(stderr, format, arguments);
	if (session->script)
		fprintf(stderr, " (%s, line %u)", session->script, session->script_line);
	putc('\n', stderr);
}

void session_part(struct session *session)
{
	fflush(session->out);
	if (session->reported && session->print_mode == PRINT_TEXT)
		clean_output_part();
	session->reported = false;
}

void session_another_report(struct session *session)
{
	session->reported = true;
	session_part(session);
}

bool session_error(struct session *session, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say(session, "Error", format, arguments);
	va_end(arguments);
	if (session->on_command_line)
		session->status = 1;
	return false;
}

void session_warning(const struct session *session, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say(session, "Warning", format, arguments);
	va_end(arguments);
}

uint64_t session_estimated(const struct session *session)
{
	bool clock = false;
	for (unsigned i = 0; session->sums && i < session->metrics.count; i++)
		clock |= session->metrics.items[i].type == ITEM_METRIC &&
			 session->sums->metrics->rows[session->metrics.items[i].metric].kind == KIND_CLOCK;
	return clock ? session->estimated : 0;
}

static bool anything_recorded(struct session *session)
{
	struct metric_context context = session_metrics(session);
	bool any = false;
	for (unsigned m = 0; m < context.table->count; m++)
		any |= context.recorded[m];
	return any;
}

/* The lines under a table: what was not recorded, and what is an estimate. */
static void add_footnotes(struct session *session, struct table *table)
{
	char *line = coverage_line(session_coverage(session));
	uint64_t estimated = session->stacks_used ? session_estimated(session) : 0;
	char *missing = session->stacks_used && session->sums
				? missing_objects_line(session->resolver, session->data, session->sums)
				: 0;
	if (session->stacks_used && !anything_recorded(session))
		table_footnote(table, "No metrics: neither clock, counters nor tracing were recorded (collect -p off); "
				      "header says what was");
	session->stacks_used = false;
	comparison_footnotes(session, table);
	if (missing)
		table_footnote(table, table_text(table, "%s", missing));
	if (line)
		table_footnote(table, table_text(table, "%s", line));
	if (estimated)
		table_footnote(table, table_text(table,
					      "Estimated: %.3f CPU seconds are of threads too short for a clock tick, "
					      "divided among others of their programs (short_threads apart shows them)",
					      (double)estimated / 1e9));
	free(line);
	free(missing);
}

static void warn_footnotes(const struct table *table)
{
	for (unsigned i = 0; i < table->footnote_count; i++)
		print_between(stderr, "Warning: ", table->footnotes[i], "\n");
}

static void print_json(const struct session *session, const struct table *table, FILE *file)
{
	const char **experiments = memory_new(session->argument_count, sizeof *experiments);
	for (unsigned i = 0; i < session->argument_count; i++)
		experiments[i] = session->arguments[i].path;
	table_print_json(table,
		&(struct table_origin){session->command, experiments, session->argument_count, session->filter_text},
		file);
	free(experiments);
}

void session_print_lines(struct session *session, const char *title, const char *text)
{
	struct table table = {0};
	table_preamble(&table, title);
	table_headed(&table, "Line", COLUMN_CODE);
	for (size_t length; *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		cell_words(table_row(&table, ROW_PLAIN), arena_string(&table.arena, text, length));
	}
	session_print(session, &table);
}

static void capture(struct captured_tables *captured, struct table *table)
{
	captured->all = memory_room(captured->all, captured->count, sizeof *captured->all);
	captured->all[captured->count++] = *table;
	*table = (struct table){0};
}

void session_print(struct session *session, struct table *table)
{
	if (session->captured) {
		capture(session->captured, table);
		return;
	}
	FILE *file = session->tables ? session->tables : session->out;
	if (!table->formed || session->print_mode != PRINT_TEXT)
		add_footnotes(session, table);
	switch (session->print_mode) {
	case PRINT_TEXT:
		table->name_width = session->name_width;
		if (table->fit_times)
			table_fit_times(table);
		table_print_text(table, table->said ? session_said(session) : file);
		break;
	case PRINT_HTML:
		table_print_html(table, file);
		break;
	case PRINT_DELIMITED:
		table_print_delimited(table, file, session->delimiter);
		warn_footnotes(table);
		break;
	case PRINT_CSV:
		table_print_csv(table, file);
		warn_footnotes(table);
		break;
	case PRINT_JSON:
		print_json(session, table, file);
		break;
	}
	table_free(table);
}
