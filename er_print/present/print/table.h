/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report as data: headings, columns with units, rows of numbers and texts. Views fill a table and know nothing of
   how it is printed; printing (table_print.h) knows nothing of what the numbers mean. */
#ifndef TABLE_H
#define TABLE_H

#include "storage.h"
#include <stdbool.h>
#include <stdint.h>

enum column_format {
	COLUMN_TIME,    /* nanoseconds, shown as seconds */
	COLUMN_MILLI,   /* likewise, shown as milliseconds: by text alone (table_fit_times) */
	COLUMN_MICRO,   /* likewise, as microseconds */
	COLUMN_MOMENT,  /* the same with all its decimals */
	COLUMN_PERCENT, /* number of whole */
	COLUMN_COUNT,
	COLUMN_DECIMAL, /* millionths */
	COLUMN_RATIO,   /* number divided by whole */
	COLUMN_ADDRESS, /* whole: number of the object, number: offset in it */
	COLUMN_TEXT,
	COLUMN_CODE, /* text that is shown as it is: source, instructions */
};
struct column {
	enum column_format format;
	unsigned group;
	const char *key; /* its name in JSON; 0: made of its heading */
	bool names;      /* it names rows, as table_name_rows() has it */
	bool errors;     /* its cells have standard errors, which programs get as a column of their own */
};
/* Neighbouring columns under one heading: the value and the percentage of one metric. */
struct column_group {
	const char *heading;         /* "Excl. Total CPU" */
	const char *above;           /* what stands over the heading, whose values they are; 0: nothing */
	const char *flavour, *title; /* "Exclusive", "Total CPU Time": for delimited lists */
	unsigned first, count;
	bool sorted; /* the rows are sorted by it */
};
struct cell {
	bool shown;
	bool within_error;                                        /* a change that sampling alone may have made */
	enum cell_change { NO_CHANGE, MORE, LESS, TIMES } change; /* what the number is, if it compares two */
	uint64_t number, whole;
	const char *text;
	double error; /* the standard error of the number, in the unit that is shown */
};
enum row_mark {
	ROW_PLAIN,
	ROW_CENTRE,  /* the function that a panel is about: "*" */
	ROW_HOT,     /* "##" */
	ROW_SECTION, /* a line of its own: the text of its first cell */
	ROW_BLANK,
};
struct row {
	enum row_mark mark;
	uint32_t depth;   /* in a tree */
	size_t cell;      /* index of the first of column_count cells */
	const char *line; /* of a formed table: the row as text prints it, one line or several, each with its newline */
};
struct table {
	const char **preamble; /* lines above the heading */
	unsigned preamble_count, preamble_capacity;
	struct column *columns;
	unsigned column_count, column_capacity;
	struct column_group *groups;
	unsigned group_count, group_capacity;
	struct row *rows;
	size_t row_count, row_capacity;
	struct cell *cells;
	size_t cell_count, cell_capacity;
	const char *footnotes[8]; /* lines under the rows, but not in delimited lists */
	unsigned footnote_count;
	/* Not 0: text has a form of its own, which this begins and each row's `line` goes on; preamble, headings and footnotes are
	   for the other print modes. */
	const char *formed, *ending; /* ending: after the last row; 0: nothing */
	bool named;                  /* columns say which of them name rows; else the last one does */
	bool subjects;               /* the first column says what rows are about: those with one subject are a block */
	bool limited;                /* only so many rows, or blocks of rows, are there as the setting limit asks for */
	bool said;                   /* formed text goes where settings are said, not to the report's file */
	unsigned name_width;         /* text shortens the names in the last column to so many bytes; 0: it does not */
	bool fit_times;              /* text shows times in a unit in which none is 0.000, if it can */
	bool tree;                   /* the text column is drawn as a tree by the rows' depths */
	bool marked;                 /* rows may be hot: two characters are kept free for that */
	struct arena arena;
};

/* A table of zeroes is empty; all texts that it is given must live as long as it does: table_text() makes such. */
void table_free(struct table *table);
const char *table_text(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The text itself, or a copy with "?" in place of control characters other than tabs: anybody may have written it. */
const char *table_plain(struct table *table, const char *text);
/* A line above the heading (may be ""). */
void table_preamble(struct table *table, const char *line);
/* A line under the rows, of as many as there is room for. */
static inline void table_footnote(struct table *table, const char *line)
{
	if (table->footnote_count < sizeof table->footnotes / sizeof *table->footnotes)
		table->footnotes[table->footnote_count++] = line;
}
/* Columns are added before the first row. Returns the column's index. */
unsigned table_group(struct table *table, const char *heading, const char *flavour, const char *title);
unsigned table_column(struct table *table, enum column_format format);
/* A column under a heading of its own that is no metric's. */
unsigned table_headed(struct table *table, const char *heading, enum column_format format);
/* Several of them, in order. */
struct table_heading {
	const char *text;
	enum column_format format;
};
void table_headings(struct table *table, const struct table_heading *headings, unsigned count);
/* Rows are named by these neighbouring columns, and not by the last one. */
void table_name_rows(struct table *table, unsigned first, unsigned count);
/* A new row with empty cells; the pointer holds until the next row is added. */
struct cell *table_row(struct table *table, enum row_mark mark);
/* Gives the last row its line. */
void table_line(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_section(struct table *table, const char *text);
void table_blank(struct table *table);

/* Gives columns of times the unit that fits all of them. */
void table_fit_times(struct table *table);

static inline void cell_number(struct cell *cell, uint64_t number)
{
	*cell = (struct cell){.shown = true, .number = number};
}
static inline void cell_pair(struct cell *cell, uint64_t number, uint64_t whole)
{
	*cell = (struct cell){.shown = true, .number = number, .whole = whole};
}
static inline void cell_words(struct cell *cell, const char *text)
{
	*cell = (struct cell){.shown = true, .text = text};
}

#endif
