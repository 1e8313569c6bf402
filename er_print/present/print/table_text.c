/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as text: headings wrapped over up to four lines, the unit in the last; columns parted by one blank. */
#include "plain_text.h"
#include "short_name.h"
#include "table_print.h"

#include <stdlib.h>
#include <string.h>

enum { HEADING_LINES = 4 };

struct layout {
	unsigned *width;       /* of each column */
	unsigned *group_width; /* at least that of its columns */
	struct heading {
		const char *start[HEADING_LINES];
		unsigned length[HEADING_LINES], count;
	} * headings;   /* of each group, without units */
	unsigned lines; /* of the highest heading, without the units' line */
	bool units;
};

static bool is_text(enum column_format format)
{
	return format == COLUMN_TEXT || format == COLUMN_CODE;
}

static unsigned columns_width(const struct table *table, const struct layout *layout, const struct column_group *group)
{
	unsigned width = group->count ? group->count - 1 : 0;
	for (unsigned c = 0; c < group->count; c++)
		width += is_text(table->columns[group->first + c].format) ? 0 : layout->width[group->first + c];
	return width;
}

/* Fills lines of at most `width`, greedily; false if more than three are needed. */
static bool wrap(struct heading *heading, const char *text, unsigned width)
{
	heading->count = 0;
	for (const char *word = text; *word;) {
		size_t length = strcspn(word, " ");
		unsigned *last = heading->count ? &heading->length[heading->count - 1] : 0;
		if (last && *last + 1 + length <= width) {
			*last += 1 + (unsigned)length;
		} else {
			if (heading->count == HEADING_LINES - 1 || length > width)
				return false;
			heading->start[heading->count] = word;
			heading->length[heading->count++] = (unsigned)length;
		}
		word += length;
		word += *word == ' ';
	}
	return true;
}

static void lay_out_heading(const struct table *table, struct layout *layout, unsigned g)
{
	const struct column_group *group = &table->groups[g];
	unsigned width = columns_width(table, layout, group);
	if (group->above && strlen(group->above) > width)
		width = (unsigned)strlen(group->above);
	while (!wrap(&layout->headings[g], group->heading, width))
		width++;
	layout->group_width[g] = width;
	if (is_text(table->columns[group->first].format) && width > layout->width[group->first])
		layout->width[group->first] = width; /* what follows stands under its own heading */
	if (layout->headings[g].count > layout->lines)
		layout->lines = layout->headings[g].count;
}

/* The width of a column without rows: at least its unit has room. */
static unsigned least_width(enum column_format format)
{
	switch (format) {
	case COLUMN_TIME:
	case COLUMN_MILLI:
	case COLUMN_MICRO:
		return 5;
	case COLUMN_PERCENT:
		return 7;
	case COLUMN_TEXT:
	case COLUMN_CODE:
		return 4;
	default:
		return *column_unit(format) ? (unsigned)strlen(column_unit(format)) : 1;
	}
}

static struct layout lay_out(const struct table *table)
{
	struct layout layout = {
		.width = memory_new(table->column_count, sizeof *layout.width),
		.group_width = memory_new(table->group_count, sizeof *layout.group_width),
		.headings = memory_new(table->group_count, sizeof *layout.headings),
	};
	char text[CELL_TEXT_MAX];
	for (unsigned c = 0; c < table->column_count; c++) {
		enum column_format format = table->columns[c].format;
		layout.units |= *column_unit(format) != 0;
		layout.width[c] = least_width(format);
		if (is_text(format) && c + 1 == table->column_count)
			break; /* nothing stands to the right of it */
		for (size_t r = 0; r < table->row_count; r++) {
			const struct cell *cell = &table->cells[table->rows[r].cell + c];
			if (table->rows[r].mark == ROW_SECTION || !cell->shown)
				continue;
			unsigned length = (unsigned)strlen(cell_text(format, cell, true, text));
			if (length > layout.width[c])
				layout.width[c] = length;
		}
	}
	for (unsigned g = 0; g < table->group_count; g++)
		lay_out_heading(table, &layout, g);
	return layout;
}

static bool group_is_text(const struct table *table, const struct column_group *group)
{
	return is_text(table->columns[group->first].format);
}

/* The characters of a line that a group takes, without the blank that follows it. */
static unsigned line_width(const struct table *table, const struct layout *layout, unsigned g)
{
	const struct column_group *group = &table->groups[g];
	if (!group_is_text(table, group))
		return layout->group_width[g];
	unsigned width = layout->width[group->first] + 1;
	return width > layout->group_width[g] + 1 ? width : layout->group_width[g] + 1;
}

/* Writes the units of a group's columns, that end where their numbers end; returns where the last one ends. */
static size_t place_units(
	const struct table *table, const struct layout *layout, const struct column_group *group, size_t at, char *text)
{
	size_t end = 0;
	for (unsigned c = group->first; c < group->first + group->count; c++) {
		const char *unit = column_unit(table->columns[c].format);
		size_t length = strlen(unit),
		       right = at + layout->width[c] - (table->columns[c].format == COLUMN_PERCENT);
		if (length) {
			memcpy(text + right - length, unit, length);
			end = right;
		}
		at += layout->width[c] + 1;
	}
	return end;
}

/* One line of headings; the last one has the units. */
static void print_heading_line(const struct table *table, const struct layout *layout, unsigned line, FILE *file)
{
	size_t size = 4, end = 0, at = table->marked ? 3 : 0;
	for (unsigned g = 0; g < table->group_count; g++)
		size += line_width(table, layout, g) + 1;
	char *text = memory_new(size, 1);
	memset(text, ' ', size);
	for (unsigned g = 0; g < table->group_count; g++) {
		const struct column_group *group = &table->groups[g];
		const struct heading *heading = &layout->headings[g];
		bool textual = group_is_text(table, group);
		if (line < heading->count) {
			memcpy(text + at + textual, heading->start[line], heading->length[line]);
			end = at + textual + heading->length[line];
		} else if (line == layout->lines && !textual) {
			size_t units_end = place_units(table, layout, group, at, text);
			end = units_end > end ? units_end : end;
		}
		at += line_width(table, layout, g) + 1;
	}
	fprintf(file, "%.*s\n", (int)end, text);
	free(text);
}

/* Whose values the groups are, where that differs. */
static void print_above(const struct table *table, const struct layout *layout, FILE *file)
{
	unsigned owed = table->marked ? 3 : 0;
	bool any = false;
	for (unsigned g = 0; g < table->group_count; g++) {
		const char *above = table->groups[g].above;
		if (above)
			fprintf(file, "%*s%s", (int)owed, "", above);
		any |= above != 0;
		owed = (above ? 0 : owed) + line_width(table, layout, g) + 1 - (above ? (unsigned)strlen(above) : 0);
	}
	if (any)
		putc('\n', file);
}

static void print_spaces(FILE *file, unsigned count)
{
	fprintf(file, "%*s", (int)count, "");
}

/* A text column begins with a blank or the mark of the centre, and is filled up unless it is the last. */
static void print_text_cell(
	const struct table *table, const struct layout *layout, const struct row *row, unsigned c, FILE *file)
{
	const char *text = table->cells[row->cell + c].text;
	bool last = c + 1 == table->column_count;
	char *shortened = 0;
	if (last && text && table->name_width && table->columns[c].format == COLUMN_TEXT &&
		strlen(text) > table->name_width && (shortened = strdup(text))) {
		shorten_name(shortened, table->name_width);
		text = shortened;
	}
	putc(row->mark == ROW_CENTRE && table->columns[c].format == COLUMN_TEXT ? '*' : ' ', file);
	if (table->tree && table->columns[c].format == COLUMN_TEXT)
		tree_branches(file, row->depth);
	print_plain(file, text ? text : "");
	if (!last)
		print_spaces(file, layout->width[c] - (text ? (unsigned)strlen(text) : 0));
	free(shortened);
}

static void print_row(const struct table *table, const struct layout *layout, const struct row *row, FILE *file)
{
	if (table->marked)
		fputs(row->mark == ROW_HOT ? "## " : "   ", file);
	char text[CELL_TEXT_MAX];
	unsigned owed = 0; /* blanks that are printed only if something follows */
	for (unsigned c = 0; c < table->column_count; c++) {
		const struct column *column = &table->columns[c];
		const struct column_group *group = &table->groups[column->group];
		const struct cell *cell = &table->cells[row->cell + c];
		if (is_text(column->format)) {
			if (cell->text || c + 1 < table->column_count) {
				print_spaces(file, owed);
				print_text_cell(table, layout, row, c, file);
				owed = 0;
			}
			owed++;
			continue;
		}
		const char *shown = cell_text(column->format, cell, true, text);
		print_spaces(file, owed + layout->width[c] - (unsigned)strlen(shown));
		fputs(shown, file);
		owed = 1;
		if (c + 1 == group->first + group->count)
			owed += layout->group_width[column->group] - columns_width(table, layout, group);
	}
	putc('\n', file);
}

static void print_formed(const struct table *table, FILE *file)
{
	fputs(table->formed, file);
	for (size_t r = 0; r < table->row_count; r++)
		fputs(table->rows[r].line ? table->rows[r].line : "", file);
	fputs(table->ending ? table->ending : "", file);
}

void table_print_text(const struct table *table, FILE *file)
{
	if (table->formed) {
		print_formed(table, file);
		return;
	}
	struct layout layout = lay_out(table);
	for (unsigned i = 0; i < table->preamble_count; i++)
		print_between(file, "", table->preamble[i], "\n");
	print_above(table, &layout, file);
	unsigned lines = layout.lines + layout.units;
	for (unsigned line = 0; line < lines; line++)
		print_heading_line(table, &layout, line, file);
	for (size_t r = 0; r < table->row_count; r++) {
		const struct row *row = &table->rows[r];
		if (row->mark == ROW_SECTION)
			fprintf(file, "%s\n", table->cells[row->cell].text);
		else if (row->mark == ROW_BLANK)
			putc('\n', file);
		else
			print_row(table, &layout, row, file);
	}
	for (unsigned i = 0; i < table->footnote_count; i++)
		print_between(file, i ? "" : "\n", table->footnotes[i], "\n");
	free(layout.width);
	free(layout.group_width);
	free(layout.headings);
}
