/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as text, as an HTML page, or as a delimited list. */
#ifndef TABLE_PRINT_H
#define TABLE_PRINT_H

#include "table.h"
#include <stdio.h>

enum print_mode { PRINT_TEXT, PRINT_HTML, PRINT_DELIMITED };

void table_print_text(const struct table *table, FILE *file);
void table_print_html(const struct table *table, FILE *file);
/* Every field in double quotes, double quotes inside doubled, fields parted by `delimiter`. */
void table_print_delimited(const struct table *table, FILE *file, char delimiter);

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
