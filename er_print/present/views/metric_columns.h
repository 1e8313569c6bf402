/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of a list of metrics in a table, and their cells. */
#ifndef METRIC_COLUMNS_H
#define METRIC_COLUMNS_H

#include "metric_list.h"
#include "session.h"
#include "table.h"

/* Where the values of a row come from: element `index` of the arrays of each metric, or attributed sums. */
struct metric_values {
	uint64_t *const *exclusive, *const *inclusive; /* [metric][index] */
	uint32_t index;
	const uint64_t *attributed;       /* [metric]; 0: the inclusive value stands for it */
	const uint64_t *attributed_whole; /* [metric] what 100 % of attributed is; 0: the total */
	uint32_t function;                /* whose size and address are shown; NO_KEY: none */
};
/* The value of an item: for a ratio its two parts, else the sum and the total that it is a share of. */
struct metric_value {
	uint64_t number, whole;
};
struct metric_value metric_value_of(
	const struct stack_sums *sums, const struct metric_values *values, const struct metric_item *item);

/* How a value is shown that is shown as no time. */
static inline enum column_format metric_value_format(enum metric_unit unit)
{
	return unit == METRIC_RATIO ? COLUMN_RATIO : unit == METRIC_DECIMAL ? COLUMN_DECIMAL : COLUMN_COUNT;
}

/* Adds the columns of the items that are shown; attributed items only if `attributed`. The column of the item that is
   the same as `sorted` is marked. The name's column is of the format `name_format` under the heading `name_heading`.
   */
void metric_columns_add(struct session *session, struct table *table, const struct metric_list *list,
	const struct metric_item *sorted, enum column_format name_format, const char *name_heading);
/* Fills a row of such a table. A name of 0 leaves its cell empty; values of 0 leave the numbers empty. */
void metric_columns_fill(struct session *session, struct cell *row, const struct metric_list *list,
	const struct metric_values *values, const char *name);

/* Whether a row of such a table has a value that is not 0, of a metric of the list, shown or hidden, or of `sorted`. Where that
   is of what was sampled, the inclusive value counts in place of the exclusive one. Where there is no metric, each row has one. */
bool metric_columns_have_value(struct session *session, const struct metric_list *list,
	const struct metric_item *sorted, const struct metric_values *values);

/* Compares two rows by a sort order: < 0 if a comes first. Names break ties. */
struct metric_ranked {
	uint64_t value, whole; /* of the sort metric */
	uint64_t inclusive;    /* of a row of exclusive values, where those are equal */
	double then;           /* where these are equal: the largest change, while groups are compared */
	const char *name;
	uint32_t key;
};
/* The rank of a row by the session's sort, with `item` in place of the sort's own. */
struct metric_ranked metric_rank(struct session *session, const struct metric_item *item,
	const struct metric_values *values, const char *name, uint32_t key);
void metric_sort_rows(const struct session *session, struct metric_ranked *rows, size_t count);

#endif
