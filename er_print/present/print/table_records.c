/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes through the rows, and names columns. */
#include "table_records.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE_MAX = 256 };

bool column_is_number(enum column_format format)
{
	return format != COLUMN_TEXT && format != COLUMN_CODE && format != COLUMN_ADDRESS;
}

/* "Exclusive Total CPU Time" */
static void column_name(const struct table *table, unsigned column, char *text, size_t size)
{
	const struct column_group *group = &table->groups[table->columns[column].group];
	const char *above = group->above ? group->above : "";
	snprintf(text, size, "%s%s%s%s%s", group->flavour, *group->flavour && *group->title ? " " : "", group->title,
		*above ? ", " : "", above);
}

/* The name, `what` and the unit. */
static void make_title(const struct table *table, unsigned column, const char *what, char *text, size_t size)
{
	const char *unit = column_unit(table->columns[column].format);
	char name[TITLE_MAX];
	column_name(table, column, name, sizeof name);
	snprintf(text, size, "%s%s%s%s%s", name, what, *unit ? " (" : "", unit, *unit ? ")" : "");
}

void column_title(const struct table *table, unsigned column, char *text, size_t size)
{
	make_title(table, column, "", text, size);
}

void column_error_title(const struct table *table, unsigned column, char *text, size_t size)
{
	make_title(table, column, " standard error", text, size);
}

static const char *exact(enum column_format format, const struct cell *cell, char text[CELL_TEXT_MAX])
{
	double part = cell->whole ? (double)cell->number / (double)cell->whole : 0;
	text[0] = 0;
	if (!cell->shown)
		return text;
	switch (format) {
	case COLUMN_TIME:
	case COLUMN_MOMENT:
		snprintf(text, CELL_TEXT_MAX, "%" PRIu64 ".%09u", cell->number / 1000000000,
			(unsigned)(cell->number % 1000000000));
		return text;
	case COLUMN_PERCENT:
		snprintf(text, CELL_TEXT_MAX, "%.15g", 100 * part);
		return text;
	case COLUMN_RATIO:
		if (cell->whole)
			snprintf(text, CELL_TEXT_MAX, "%.15g", part);
		return text;
	default:
		return cell_text(format, cell, false, text);
	}
}

const char *cell_exact(enum column_format format, const struct cell *cell, char text[CELL_TEXT_MAX])
{
	/* The mark says more than the number of one kind of change only. */
	struct cell value = *cell;
	value.change = NO_CHANGE;
	value.within_error = false;
	if (cell->change != LESS)
		return exact(format, &value, text);
	char number[CELL_TEXT_MAX];
	snprintf(text, CELL_TEXT_MAX, "-%.40s", exact(format, &value, number));
	return text;
}

/* Letters and digits of a title in lower case, all else as single underlines. */
static void make_key(char *key, const char *title)
{
	char *to = key;
	for (; *title; title++)
		if (isalnum((unsigned char)*title))
			*to++ = (char)tolower((unsigned char)*title);
		else if (to > key && to[-1] != '_')
			*to++ = '_';
	while (to > key && to[-1] == '_')
		to--;
	*to = 0;
}

static bool is_taken(const struct records *records, unsigned count, const char *key)
{
	for (unsigned c = 0; c < count; c++)
		if (!strcmp(records->keys[c], key))
			return true;
	return false;
}

/* The unit is left out, but for percentages, which stand beside a number of the same title. */
void column_key(const struct table *table, unsigned column, char *key, size_t size)
{
	const struct column_group *group = &table->groups[table->columns[column].group];
	char title[TITLE_MAX], made[TITLE_MAX];
	bool percent = table->columns[column].format == COLUMN_PERCENT;
	snprintf(title, sizeof title, "%s %s%s", group->flavour, group->title, percent ? " percent" : "");
	make_key(made, title);
	snprintf(key, size, "%s", table->columns[column].key ? table->columns[column].key : made);
}

static const char *key_of(struct records *records, unsigned column)
{
	char key[TITLE_MAX + 16];
	column_key(records->table, column, key, TITLE_MAX);
	size_t length = strlen(key);
	for (unsigned again = 2; !*key || is_taken(records, column, key); again++)
		snprintf(key + length, sizeof key - length, "%s%u", length ? "_" : "column_", again);
	return arena_string(&records->names, key, strlen(key));
}

void records_begin(struct records *records, const struct table *table)
{
	bool sections = false, blanks = false, centres = false;
	*records = (struct records){.table = table, .group = 1};
	records->keys = memory_new(table->column_count, sizeof *records->keys);
	for (unsigned c = 0; c < table->column_count; c++)
		records->keys[c] = table->columns[c].key ? table->columns[c].key : key_of(records, c);
	for (size_t r = 0; r < table->row_count; r++) {
		sections |= table->rows[r].mark == ROW_SECTION;
		blanks |= table->rows[r].mark == ROW_BLANK;
		centres |= table->rows[r].mark == ROW_CENTRE;
	}
	records->grouped = blanks && !sections;
	records->parted = sections || centres;
	records->centre = SIZE_MAX;
}

void records_end(struct records *records)
{
	free(records->keys);
	arena_free(&records->names);
}

/* "Stack Fragment" of "============== Stack Fragment". */
static const char *section_name(const char *text)
{
	return text + strspn(text, "= ");
}

/* The function that a panel is about, from one of its rows on; or the panel's end. */
static size_t centre_from(const struct table *table, size_t row)
{
	while (row < table->row_count && table->rows[row].mark != ROW_CENTRE && table->rows[row].mark != ROW_BLANK)
		row++;
	return row;
}

static const char *part_of(struct records *records, size_t row)
{
	if (records->part || !records->parted)
		return records->part;
	if (records->centre == SIZE_MAX)
		records->centre = centre_from(records->table, row);
	return row < records->centre ? "Callers" : row == records->centre ? "Function" : "Callees";
}

bool records_next(struct records *records, struct record *record)
{
	const struct table *table = records->table;
	for (; records->next < table->row_count; records->next++) {
		const struct row *row = &table->rows[records->next];
		const struct cell *cells = &table->cells[row->cell];
		if (row->mark == ROW_BLANK) {
			records->group++;
			records->centre = SIZE_MAX;
		} else if (row->mark == ROW_SECTION) {
			records->part = section_name(cells->text);
		} else {
			*record = (struct record){row, cells, records->group, part_of(records, records->next)};
			records->next++;
			return true;
		}
	}
	return false;
}
