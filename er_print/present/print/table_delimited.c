/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as lists for other programs: three rows of headings, then a row a line, every field in quotes. */
#include "table_print.h"

static void print_quoted(FILE *file, const char *text)
{
	for (; *text; text++) {
		if (*text == '"')
			putc('"', file);
		putc(*text, file);
	}
}

static void print_field(FILE *file, const char *text)
{
	putc('"', file);
	print_quoted(file, text);
	putc('"', file);
}

static void print_headings(const struct table *table, FILE *file, char delimiter)
{
	for (int line = 0; line < 3; line++) {
		for (unsigned c = 0; c < table->column_count; c++) {
			const struct column_group *group = &table->groups[table->columns[c].group];
			const char *unit = column_unit(table->columns[c].format);
			char value[32], title[256];
			snprintf(title, sizeof title, "%s%s%s", group->title, group->above ? ", " : "",
				group->above ? group->above : "");
			snprintf(value, sizeof value, *unit ? "V  (%s)" : "%s", unit);
			if (c)
				putc(delimiter, file);
			print_field(file, line == 0 ? group->flavour : line == 1 ? title : value);
		}
		putc('\n', file);
	}
}

static void print_row(const struct table *table, const struct row *row, FILE *file, char delimiter)
{
	char text[CELL_TEXT_MAX];
	for (unsigned c = 0; c < table->column_count; c++) {
		enum column_format format = table->columns[c].format;
		if (c)
			putc(delimiter, file);
		putc('"', file);
		if (format == COLUMN_TEXT && table->tree)
			tree_branches(file, row->depth);
		if (format == COLUMN_TEXT && row->mark == ROW_CENTRE)
			putc('*', file);
		print_quoted(file, cell_text(format, &table->cells[row->cell + c], false, text));
		putc('"', file);
	}
	putc('\n', file);
}

void table_print_delimited(const struct table *table, FILE *file, char delimiter)
{
	print_headings(table, file, delimiter);
	for (size_t r = 0; r < table->row_count; r++) {
		const struct row *row = &table->rows[r];
		if (row->mark == ROW_BLANK)
			putc('\n', file);
		else if (row->mark == ROW_SECTION) {
			print_field(file, table->cells[row->cell].text);
			putc('\n', file);
		} else {
			print_row(table, row, file, delimiter);
		}
	}
}
