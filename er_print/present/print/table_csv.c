/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as comma-separated values (RFC 4180): one row of headings, numbers in full. */
#include "table_records.h"

#include <string.h>

static void print_field(FILE *file, bool first, const char *text)
{
	if (!first)
		putc(',', file);
	/* Quotes tell a row of one empty field from no row. */
	if (!text[strcspn(text, ",\"\r\n")] && (*text || !first)) {
		fputs(text, file);
		return;
	}
	putc('"', file);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', file);
		putc(*text, file);
	}
	putc('"', file);
}

static void end_line(FILE *file)
{
	fputs("\r\n", file);
}

static void print_headings(const struct records *records, FILE *file)
{
	const struct table *table = records->table;
	bool first = true;
	const char *const own[] = {records->grouped ? "Group" : 0, records->parted ? "Part" : 0,
		table->tree ? "Depth" : 0, table->marked ? "Hot" : 0};
	for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
		if (own[i]) {
			print_field(file, first, own[i]);
			first = false;
		}
	for (unsigned c = 0; c < table->column_count; c++) {
		char title[256];
		column_title(table, c, title, sizeof title);
		print_field(file, first, title);
		first = false;
		if (!table->columns[c].errors)
			continue;
		column_error_title(table, c, title, sizeof title);
		print_field(file, false, title);
	}
	end_line(file);
}

static void print_number(FILE *file, bool *first, unsigned long number)
{
	char text[24];
	snprintf(text, sizeof text, "%lu", number);
	print_field(file, *first, text);
	*first = false;
}

static void print_record(const struct records *records, const struct record *record, FILE *file)
{
	const struct table *table = records->table;
	bool first = true;
	if (records->grouped)
		print_number(file, &first, record->group);
	if (records->parted) {
		print_field(file, first, record->part ? record->part : "");
		first = false;
	}
	if (table->tree)
		print_number(file, &first, record->row->depth);
	if (table->marked)
		print_number(file, &first, record->row->mark == ROW_HOT);
	for (unsigned c = 0; c < table->column_count; c++) {
		char text[CELL_TEXT_MAX];
		print_field(file, first, cell_exact(table->columns[c].format, &record->cells[c], text));
		first = false;
		if (table->columns[c].errors)
			fprintf(file, ",%.9g", record->cells[c].error);
	}
	end_line(file);
}

void table_print_csv(const struct table *table, FILE *file)
{
	struct records records;
	struct record record;
	records_begin(&records, table);
	print_headings(&records, file);
	while (records_next(&records, &record))
		print_record(&records, &record, file);
	records_end(&records);
}
