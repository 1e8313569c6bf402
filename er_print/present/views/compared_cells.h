/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of a metric where groups of experiments stand side by side: the first group's value, and each other's, as it is, as a
   difference from the first's, or as a multiple of it. */
#ifndef COMPARED_CELLS_H
#define COMPARED_CELLS_H

#include "difference.h"
#include "metric_columns.h"

/* The item of the sums that is `item` in a group. */
struct metric_item compared_item(struct session *session, const struct metric_item *item, unsigned group);
/* The value of an item in a group, as a sum that may be sampled. */
struct sampled_sum compared_sum(
	struct session *session, const struct metric_values *values, const struct metric_item *item, unsigned group);

/* How a column of a group is headed and formatted: `show` is one of SHOW_*, `format` that of the first group. */
enum column_format compared_format(const struct session *session, unsigned group, enum column_format format);
/* "Excl. Total CPU delta", " delta" or " ratio" after the first group's words; a text of the table. */
const char *compared_heading(const struct session *session, struct table *table, unsigned group, const char *heading);
/* A group's column in JSON: "e.totalcpu@2.delta" of the first group's "e.totalcpu"; a text of the table. CHANGE is 0 where what it
   shows is no change. */
const char *compared_key(
	const struct session *session, struct table *table, const char *key, unsigned change, unsigned group);
/* Fills the cell of a group with its number, or with the change from the first group's: both of this format, as they are. */
void compared_number(const struct session *session, struct cell *cell, enum column_format format,
	const struct cell *before, const struct cell *after, unsigned group);
/* Fills the cell of a group, of one way of showing an item. */
void compared_cell(struct session *session, struct cell *cell, const struct metric_item *item, unsigned show,
	const struct metric_values *values, unsigned group);
/* The largest change of an item from the first group to another, whatever its sign. */
double compared_change(struct session *session, const struct metric_item *item, const struct metric_values *values);

#endif
