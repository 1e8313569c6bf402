/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filling tables. */
#include "table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void table_free(struct table *table)
{
	free(table->preamble);
	free(table->columns);
	free(table->groups);
	free(table->rows);
	free(table->cells);
	arena_free(&table->arena);
	*table = (struct table){0};
}

__attribute__((format(printf, 2, 0))) static const char *compose(
	struct table *table, const char *format, va_list arguments)
{
	char small[512];
	va_list again;
	va_copy(again, arguments);
	int length = vsnprintf(small, sizeof small, format, arguments);
	const char *text = "";
	if (length >= (int)sizeof small) {
		char *large = memory_new((size_t)length + 1, 1);
		vsnprintf(large, (size_t)length + 1, format, again);
		text = arena_string(&table->arena, large, (size_t)length);
		free(large);
	} else if (length > 0) {
		text = arena_string(&table->arena, small, (size_t)length);
	}
	va_end(again);
	return text;
}

const char *table_text(struct table *table, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const char *text = compose(table, format, arguments);
	va_end(arguments);
	return text;
}

static bool is_control(char c)
{
	return ((unsigned char)c < ' ' && c != '\t') || c == 0x7f;
}

const char *table_plain(struct table *table, const char *text)
{
	size_t good = 0;
	while (text[good] && !is_control(text[good]))
		good++;
	if (!text[good])
		return text;
	char *copy = arena_string(&table->arena, text, strlen(text));
	for (char *c = copy; *c; c++)
		*c = is_control(*c) ? '?' : *c;
	return copy;
}

void table_line(struct table *table, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	table->rows[table->row_count - 1].line = compose(table, format, arguments);
	va_end(arguments);
}

void table_preamble(struct table *table, const char *line)
{
	memory_reserve(table->preamble, table->preamble_count, table->preamble_capacity);
	table->preamble[table->preamble_count++] = line;
}

unsigned table_group(struct table *table, const char *heading, const char *flavour, const char *title)
{
	memory_reserve(table->groups, table->group_count, table->group_capacity);
	table->groups[table->group_count] = (struct column_group){
		.heading = heading, .flavour = flavour, .title = title, .first = table->column_count};
	return table->group_count++;
}

unsigned table_column(struct table *table, enum column_format format)
{
	memory_reserve(table->columns, table->column_count, table->column_capacity);
	table->columns[table->column_count] = (struct column){.format = format, .group = table->group_count - 1};
	table->groups[table->group_count - 1].count++;
	return table->column_count++;
}

unsigned table_headed(struct table *table, const char *heading, enum column_format format)
{
	table_group(table, heading, "", heading);
	return table_column(table, format);
}

void table_headings(struct table *table, const struct table_heading *headings, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		table_headed(table, headings[i].text, headings[i].format);
}

void table_name_rows(struct table *table, unsigned first, unsigned count)
{
	table->named = true;
	for (unsigned c = first; c < first + count; c++)
		table->columns[c].names = true;
}

struct cell *table_row(struct table *table, enum row_mark mark)
{
	memory_reserve(table->rows, table->row_count, table->row_capacity);
	while (table->cell_count + table->column_count > table->cell_capacity) {
		table->cell_capacity = table->cell_capacity ? table->cell_capacity * 2 : 256;
		table->cells = memory_resize(table->cells, table->cell_capacity, sizeof *table->cells);
	}
	struct cell *cells = &table->cells[table->cell_count];
	memset(cells, 0, table->column_count * sizeof *cells);
	table->rows[table->row_count++] = (struct row){.mark = mark, .cell = table->cell_count};
	table->cell_count += table->column_count;
	return cells;
}

/* Three decimals are shown: what is less than half of the last one is 0.000. All columns have one unit, so that they compare. */
static enum column_format fitting_unit(const struct table *table)
{
	static const uint64_t half_microsecond = 500, second = 1000000000;
	uint64_t least = UINT64_MAX, most = 0;
	for (size_t r = 0; r < table->row_count; r++)
		for (unsigned c = 0; c < table->column_count; c++) {
			const struct row *row = &table->rows[r];
			const struct cell *cell = &table->cells[row->cell + c];
			if (table->columns[c].format != COLUMN_TIME || row->mark == ROW_SECTION ||
				row->mark == ROW_BLANK || !cell->shown || !cell->number || cell->change == TIMES)
				continue;
			least = cell->number < least ? cell->number : least;
			most = cell->number > most ? cell->number : most;
		}
	if (least >= half_microsecond * 1000 || most >= second * 10000)
		return COLUMN_TIME;
	return least >= half_microsecond || most >= second * 10 ? COLUMN_MILLI : COLUMN_MICRO;
}

void table_fit_times(struct table *table)
{
	enum column_format unit = fitting_unit(table);
	for (unsigned c = 0; c < table->column_count; c++)
		if (table->columns[c].format == COLUMN_TIME)
			table->columns[c].format = unit;
}

void table_section(struct table *table, const char *text)
{
	cell_words(table_row(table, ROW_SECTION), text);
}

void table_blank(struct table *table)
{
	table_row(table, ROW_BLANK);
}
