/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts as rows. */
#include "facts.h"
#include "plain_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The lines that were printed since the last fact. */
static const char *take_lines(struct facts *facts)
{
	const char *lines = "";
	if (facts->text) {
		fclose(facts->text);
		lines = arena_string(&facts->table.arena, facts->lines, facts->lines_size);
		free(facts->lines);
	}
	return lines;
}

static void open_lines(struct facts *facts)
{
	facts->lines = 0;
	facts->text = open_memstream(&facts->lines, &facts->lines_size);
}

void facts_begin(struct facts *facts, const char *title)
{
	static const struct table_heading headings[FACT_COLUMNS] = {{"Subject", COLUMN_TEXT}, {"Name", COLUMN_TEXT},
		{"Number", COLUMN_COUNT}, {"Seconds", COLUMN_MOMENT}, {"Text", COLUMN_TEXT}};
	*facts = (struct facts){.table = {.formed = "", .subjects = true}};
	table_preamble(&facts->table, title);
	table_headings(&facts->table, headings, FACT_COLUMNS);
	table_name_rows(&facts->table, FACT_SUBJECT, 2);
	open_lines(facts);
}

void facts_subject(struct facts *facts, const char *format, ...)
{
	char text[4096];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	facts->subject = table_plain(&facts->table, table_text(&facts->table, "%s", text));
}

static struct cell *add(struct facts *facts, const char *name)
{
	const char *lines = take_lines(facts);
	struct cell *cells = table_row(&facts->table, ROW_PLAIN);
	facts->table.rows[facts->table.row_count - 1].line = lines;
	open_lines(facts);
	if (facts->subject)
		cell_words(&cells[FACT_SUBJECT], facts->subject);
	cell_words(&cells[FACT_NAME], table_plain(&facts->table, table_text(&facts->table, "%s", name)));
	return cells;
}

void fact_number(struct facts *facts, const char *name, uint64_t number)
{
	cell_number(&add(facts, name)[FACT_NUMBER], number);
}

void fact_seconds(struct facts *facts, const char *name, uint64_t nanoseconds)
{
	cell_number(&add(facts, name)[FACT_SECONDS], nanoseconds);
}

void fact_text(struct facts *facts, const char *name, const char *text)
{
	const char *kept = table_plain(&facts->table, table_text(&facts->table, "%s", text));
	cell_words(&add(facts, name)[FACT_TEXT], kept);
}

void fact_remark(struct facts *facts, const char *label, const char *text)
{
	fprintf(facts->text, "*** %s: ", label);
	print_plain(facts->text, text);
	putc('\n', facts->text);
	fact_text(facts, label, text);
}

struct table facts_end(struct facts *facts)
{
	const char *rest = take_lines(facts);
	facts->text = 0;
	facts->table.ending = rest;
	return facts->table;
}
