/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as HTML: one complete page a table; the column that the rows are sorted by is tinted. */
#include "table_print.h"

#include <string.h>

static void print_escaped(FILE *file, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '&':
			fputs("&amp;", file);
			break;
		case '<':
			fputs("&lt;", file);
			break;
		case '>':
			fputs("&gt;", file);
			break;
		case '"':
			fputs("&quot;", file);
			break;
		default:
			/* Other control characters may not stand in a page at all. */
			putc((unsigned char)*text < ' ' && *text != '\t' ? '?' : *text, file);
		}
}

static void print_head(const struct table *table, FILE *file)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>", file);
	print_escaped(file, table->preamble_count ? table->preamble[0] : "er_print");
	fputs("</title>\n<style>\n"
	      "table { border-collapse: collapse; font-family: monospace; }\n"
	      "th, td { padding: 0 0.6em; text-align: right; vertical-align: top; }\n"
	      "th.text, td.text { text-align: left; white-space: pre; }\n"
	      ".sorted { background: #fff3d0; }\n"
	      "tr.hot td { background: #ffd7d0; }\n"
	      "tr.centre td { font-weight: bold; }\n"
	      "</style>\n</head>\n<body>\n",
		file);
	for (unsigned i = 0; i < table->preamble_count; i++)
		if (*table->preamble[i]) {
			fputs("<p>", file);
			print_escaped(file, table->preamble[i]);
			fputs("</p>\n", file);
		}
}

static const char *class_of(const struct table *table, unsigned column)
{
	enum column_format format = table->columns[column].format;
	if (format == COLUMN_TEXT || format == COLUMN_CODE)
		return "text";
	return table->groups[table->columns[column].group].sorted ? "sorted" : "number";
}

static void print_headings(const struct table *table, FILE *file)
{
	fputs("<table>\n<thead>\n<tr>", file);
	for (unsigned g = 0; g < table->group_count; g++) {
		const struct column_group *group = &table->groups[g];
		fprintf(file, "<th class=\"%s\" colspan=\"%u\">", class_of(table, group->first), group->count);
		if (group->above) {
			print_escaped(file, group->above);
			fputs("<br>", file);
		}
		print_escaped(file, group->heading);
		fputs(group->sorted ? " \xe2\x88\x87</th>" : "</th>", file);
	}
	fputs("</tr>\n<tr>", file);
	for (unsigned c = 0; c < table->column_count; c++)
		fprintf(file, "<th class=\"%s\">%s</th>", class_of(table, c), column_unit(table->columns[c].format));
	fputs("</tr>\n</thead>\n<tbody>\n", file);
}

static void print_row(const struct table *table, const struct row *row, FILE *file)
{
	static const char *const classes[] = {[ROW_PLAIN] = "plain",
		[ROW_CENTRE] = "centre",
		[ROW_HOT] = "hot",
		[ROW_SECTION] = "section",
		[ROW_BLANK] = "blank"};
	fprintf(file, "<tr class=\"%s\">", classes[row->mark]);
	if (row->mark == ROW_SECTION || row->mark == ROW_BLANK) {
		const char *text = table->cells[row->cell].text;
		fprintf(file, "<td class=\"text\" colspan=\"%u\">", table->column_count);
		print_escaped(file, text ? text : "");
		fputs("</td></tr>\n", file);
		return;
	}
	char text[CELL_TEXT_MAX];
	for (unsigned c = 0; c < table->column_count; c++) {
		fprintf(file, "<td class=\"%s\"", class_of(table, c));
		if (table->tree && table->columns[c].format == COLUMN_TEXT)
			fprintf(file, " style=\"padding-left: %uem\"", row->depth + 1);
		putc('>', file);
		print_escaped(file, cell_text(table->columns[c].format, &table->cells[row->cell + c], false, text));
		fputs("</td>", file);
	}
	fputs("</tr>\n", file);
}

void table_print_html(const struct table *table, FILE *file)
{
	print_head(table, file);
	print_headings(table, file);
	for (size_t r = 0; r < table->row_count; r++)
		print_row(table, &table->rows[r], file);
	fputs("</tbody>\n</table>\n", file);
	for (unsigned i = 0; i < table->footnote_count; i++) {
		fputs("<p>", file);
		print_escaped(file, table->footnotes[i]);
		fputs("</p>\n", file);
	}
	fputs("</body>\n</html>\n", file);
}
