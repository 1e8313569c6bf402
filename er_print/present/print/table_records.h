/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a table as records for programs: without the lines that only part the rows for readers, which become members of the
   records instead. */
#ifndef TABLE_RECORDS_H
#define TABLE_RECORDS_H

#include "table_print.h"

struct records {
	const struct table *table;
	const char **keys; /* by column: "e.totalcpu", "name"; each once; with what is in `names` */
	struct arena names;
	bool grouped; /* rows are in groups: the panels of functions, locks and who waited for them */
	bool parted; /* rows are in parts of a panel: "Callers", "Function", "Callees", or what the table's sections say */
	size_t next, centre;
	unsigned long group;
	const char *part;
};
struct record {
	const struct row *row;
	const struct cell *cells;
	unsigned long group; /* from 1 */
	const char *part;    /* 0: none */
};

void records_begin(struct records *records, const struct table *table);
/* The next record; false at the end. */
bool records_next(struct records *records, struct record *record);
void records_end(struct records *records);

/* "Exclusive Total CPU Time (sec.)", the heading of a column in one line. Cut to fit. */
void column_title(const struct table *table, unsigned column, char *text, size_t size);
/* The name of a column in JSON, without a mark that tells it from others of its title. */
void column_key(const struct table *table, unsigned column, char *key, size_t size);
/* Likewise for the column of standard errors beside it: "Exclusive Total CPU Time standard error (sec.)". */
void column_error_title(const struct table *table, unsigned column, char *text, size_t size);
/* A number in full: seconds with nine decimals, percentages and ratios as exact as a double is. "" where there is none: an empty
   cell, a ratio without a denominator. For text and addresses what cell_text() says. */
const char *cell_exact(enum column_format format, const struct cell *cell, char text[CELL_TEXT_MAX]);
/* Whether that is a number. */
bool column_is_number(enum column_format format);

#endif
