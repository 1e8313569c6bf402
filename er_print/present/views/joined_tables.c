/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins tables by the names of their rows within blocks, which are panels with a centre, facts about one subject, or a row with its
   parts. */
#include "joined_tables.h"
#include "compared_cells.h"
#include "search.h"
#include "strings.h"
#include "table_records.h"

#include <stdlib.h>
#include <string.h>

/* A row of the result. */
struct joined_row {
	uint32_t block, place; /* place: in the order in which rows were met */
	const struct row **of; /* [group]; 0: the group lacks it */
};
struct join {
	struct session *session;
	const struct table *tables;
	unsigned groups;
	struct joined_row *rows;
	uint32_t row_count;
	struct strings names; /* of blocks and of rows, with their numbers in the three arrays below */
	uint32_t room;
	uint32_t *block_of, *row_of; /* [name] + 1; 0: none yet */
	uint32_t *seen;              /* [name] rows or blocks of the present table so far */
	uint32_t block_count;
	unsigned *order, column_count; /* columns of the tables in the order in which they are shown */
	struct arena arena;
};

static bool names_rows(const struct table *table, unsigned column)
{
	return table->named ? table->columns[column].names : column + 1 == table->column_count;
}

static void make_room(struct join *join)
{
	uint32_t room = join->room ? join->room * 2 : 256, more = room - join->room;
	uint32_t **arrays[] = {&join->block_of, &join->row_of, &join->seen};
	for (unsigned i = 0; i < 3; i++) {
		*arrays[i] = memory_resize(*arrays[i], room, sizeof(uint32_t));
		memset(*arrays[i] + join->room, 0, more * sizeof(uint32_t));
	}
	join->room = room;
}

/* The number of the names of a row (`whole`), or of those that its block has from it, behind two numbers. */
static uint32_t name_of(
	struct join *join, const struct table *table, const struct row *row, bool whole, uint32_t block, uint32_t again)
{
	char *text = 0;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	if (!file)
		return 0;
	fprintf(file, "%d %u %u", whole, block, again);
	for (unsigned c = 0; c < table->column_count; c++)
		if (whole || !table->subjects ? names_rows(table, c) : c == 0)
			fprintf(file, "\n%s", table->cells[row->cell + c].text ? table->cells[row->cell + c].text : "");
	fclose(file);
	uint32_t number = strings_number(&join->names, text);
	free(text);
	if (number >= join->room)
		make_room(join);
	return number;
}

/* Blocks of a table that have the same names are told apart by their order: the first ones are one block, so are the second ones.
   Facts about one subject are one block wherever they stand. */
static uint32_t block_of(struct join *join, const struct table *table, const struct row *head)
{
	uint32_t name = name_of(join, table, head, false, 0, 0);
	uint32_t again = table->subjects ? 0 : join->seen[name]++;
	name = name_of(join, table, head, false, 0, again + 1);
	if (!join->block_of[name])
		join->block_of[name] = ++join->block_count;
	return join->block_of[name];
}

/* Likewise for rows of a block. */
static void add_row(struct join *join, unsigned group, const struct row *row, uint32_t block)
{
	const struct table *table = &join->tables[group];
	uint32_t name = name_of(join, table, row, true, block, 0);
	name = name_of(join, table, row, true, block, ++join->seen[name]);
	if (!join->row_of[name]) {
		join->rows = memory_room(join->rows, join->row_count, sizeof *join->rows);
		join->rows[join->row_count] = (struct joined_row){
			block, join->row_count, arena_new(&join->arena, join->groups * sizeof(const struct row *))};
		join->row_of[name] = ++join->row_count;
	}
	join->rows[join->row_of[name] - 1].of[group] = row;
}

static bool has_panels(const struct table *table)
{
	for (size_t r = 0; r < table->row_count; r++)
		if (table->rows[r].mark == ROW_BLANK)
			return true;
	return false;
}

/* The centre of the panel that begins at a row, or that row. */
static const struct row *centre_of(const struct table *table, size_t first)
{
	for (size_t r = first; r < table->row_count && table->rows[r].mark != ROW_BLANK; r++)
		if (table->rows[r].mark == ROW_CENTRE)
			return &table->rows[r];
	return &table->rows[first];
}

static void add_table(struct join *join, unsigned group)
{
	const struct table *table = &join->tables[group];
	bool panels = has_panels(table), begins = true;
	uint32_t block = 0;
	if (join->room)
		memset(join->seen, 0, join->room * sizeof *join->seen);
	for (size_t r = 0; r < table->row_count; r++) {
		const struct row *row = &table->rows[r];
		if (row->mark == ROW_BLANK) {
			begins = true;
			continue;
		}
		if (panels ? begins : !row->depth)
			block = block_of(join, table, panels ? centre_of(table, r) : row);
		begins = false;
		add_row(join, group, row, block);
	}
}

static int in_order(const void *left, const void *right)
{
	const struct joined_row *a = left, *b = right;
	return COMPARE(a->block, b->block) ?: COMPARE(a->place, b->place);
}

/* A group's column beside that of the first group. */
static void add_column(struct join *join, struct table *table, unsigned column, unsigned group)
{
	struct session *session = join->session;
	const struct table *from = &join->tables[0];
	const struct column_group *heading = &from->groups[from->columns[column].group];
	enum column_format format = from->columns[column].format;
	bool number = column_is_number(format);
	unsigned change = number ? group : 0; /* texts are shown as they are */
	char key[128];
	unsigned added = table_group(table,
		compared_heading(session, table, change, table_text(table, "%s", heading->heading)), heading->flavour,
		compared_heading(session, table, change, table_text(table, "%s", heading->title)));
	table->groups[added].above = table_text(table, "%s", session_group_name(session, group));
	unsigned own = table_column(table, number ? compared_format(session, group, format) : format);
	column_key(from, column, key, sizeof key);
	table->columns[own].key =
		group ? compared_key(session, table, key, change, group) : table_text(table, "%s", key);
}

static bool is_text(const struct join *join)
{
	return join->session->print_mode == PRINT_TEXT;
}

static bool is_empty(const struct join *join, unsigned column)
{
	for (unsigned g = 0; g < join->groups; g++)
		for (size_t r = 0; r < join->tables[g].row_count; r++)
			if (join->tables[g].cells[join->tables[g].rows[r].cell + column].shown)
				return false;
	return true;
}

/* Text has no empty columns, and names of facts behind their numbers, as in other lists. */
static void order_columns(struct join *join)
{
	const struct table *from = &join->tables[0];
	bool text = is_text(join), names_last = text && from->subjects;
	join->order = memory_new(from->column_count, sizeof *join->order);
	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned c = 0; c < from->column_count; c++)
			if ((names_last && names_rows(from, c)) == pass && !(text && is_empty(join, c)))
				join->order[join->column_count++] = c;
}

static void add_columns(struct join *join, struct table *table)
{
	const struct table *from = &join->tables[0];
	for (unsigned i = 0; i < join->column_count; i++) {
		unsigned c = join->order[i];
		const struct column_group *heading = &from->groups[from->columns[c].group];
		if (names_rows(from, c))
			table_headed(table, table_text(table, "%s", heading->heading), from->columns[c].format);
		for (unsigned g = 0; g < join->groups && !names_rows(from, c); g++)
			add_column(join, table, c, g);
	}
}

static const struct cell *cell_of(
	const struct join *join, const struct joined_row *row, unsigned group, unsigned column)
{
	static const struct cell none = {0};
	return row->of[group] ? &join->tables[group].cells[row->of[group]->cell + column] : &none;
}

/* The first group that has the row. */
static unsigned owner_of(const struct joined_row *row)
{
	unsigned group = 0;
	while (!row->of[group])
		group++;
	return group;
}

static void fill_row(struct join *join, struct table *table, const struct joined_row *row, struct cell *cells)
{
	const struct table *from = &join->tables[0];
	for (unsigned i = 0; i < join->column_count; i++) {
		unsigned c = join->order[i], owner = owner_of(row);
		bool names = names_rows(from, c), shown = false;
		enum column_format format = from->columns[c].format;
		for (unsigned g = 0; g < join->groups; g++)
			shown |= cell_of(join, row, g, c)->shown;
		for (unsigned g = names ? owner : 0; g < (names ? owner + 1 : join->groups); g++, cells++) {
			const struct cell *cell = cell_of(join, row, g, c);
			if (shown && column_is_number(format))
				compared_number(join->session, cells, format, cell_of(join, row, 0, c), cell, g);
			else
				*cells = *cell;
			if (cells->text)
				cells->text = table_text(table, "%s", cells->text);
		}
	}
}

/* With empty lines between panels, and in text between subjects. */
static void add_rows(struct join *join, struct table *table, unsigned long limit)
{
	const struct table *from = &join->tables[0];
	bool parted = has_panels(from) || (from->subjects && is_text(join));
	unsigned long blocks = 0;
	if (join->row_count)
		qsort(join->rows, join->row_count, sizeof *join->rows, in_order);
	for (uint32_t r = 0; r < join->row_count; r++) {
		const struct joined_row *row = &join->rows[r];
		bool begins = !r || row->block != row[-1].block;
		if (begins && limit && from->limited && ++blocks > limit)
			break;
		if (begins && r && parted)
			table_blank(table);
		const struct row *from_row = row->of[owner_of(row)];
		fill_row(join, table, row, table_row(table, from_row->mark));
		table->rows[table->row_count - 1].depth = from_row->depth;
	}
}

struct table joined_tables(struct session *session, const struct table *tables, unsigned long limit)
{
	struct join join = {.session = session, .tables = tables, .groups = session_groups(session)};
	struct table table = {.fit_times = tables[0].fit_times, .tree = tables[0].tree, .marked = tables[0].marked};
	for (unsigned i = 0; i < tables[0].preamble_count; i++)
		table_preamble(&table, table_text(&table, "%s", tables[0].preamble[i]));
	if (tables[0].preamble_count == 1)
		table_preamble(&table, "");
	order_columns(&join);
	add_columns(&join, &table);
	for (unsigned g = 0; g < join.groups; g++)
		add_table(&join, g);
	add_rows(&join, &table, limit);
	for (unsigned i = 0; i < tables[0].footnote_count; i++)
		table_footnote(&table, table_text(&table, "%s", tables[0].footnotes[i]));
	free(join.order);
	free(join.rows);
	free(join.block_of);
	free(join.row_of);
	free(join.seen);
	strings_free(&join.names);
	arena_free(&join.arena);
	return table;
}
