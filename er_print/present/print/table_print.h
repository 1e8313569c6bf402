/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as text, as an HTML page, as lists and objects for programs. */
#ifndef TABLE_PRINT_H
#define TABLE_PRINT_H

#include "table.h"
#include <stdio.h>

enum print_mode { PRINT_TEXT, PRINT_HTML, PRINT_DELIMITED, PRINT_CSV, PRINT_JSON };

void table_print_text(const struct table *table, FILE *file);
void table_print_html(const struct table *table, FILE *file);
/* Every field in double quotes, double quotes inside doubled, fields parted by `delimiter`. */
void table_print_delimited(const struct table *table, FILE *file, char delimiter);
/* RFC 4180: one row of headings, then a row a line, numbers in full. Rows of trees, panels and marked lists have columns before
   the table's own: Group, Part, Depth, Hot. */
void table_print_csv(const struct table *table, FILE *file);
/* One object: command, title, experiments, filter, columns, rows, notes. */
struct table_origin {
	const char *command;
	const char *const *experiments;
	unsigned experiment_count;
	const char *filter; /* 0: none */
};
void table_print_json(const struct table *table, const struct table_origin *origin, FILE *file);

/* A cell's number as text, at most CELL_TEXT_MAX bytes; exact zero is "0.". With `aligned`, blanks take the place of
   the decimals that "0." lacks and of what follows a percentage, so that right-aligned texts stand point under point.
   */
enum { CELL_TEXT_MAX = 48 };
const char *cell_text(enum column_format format, const struct cell *cell, bool aligned, char text[CELL_TEXT_MAX]);
/* The unit under a heading: "sec.", "%" or "". */
const char *column_unit(enum column_format format);
/* The branches in front of a name at a depth of a tree. */
void tree_branches(FILE *file, uint32_t depth);

#endif
