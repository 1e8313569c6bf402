/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of anything that has exclusive and inclusive sums by a key: functions, lines, pcs, load objects. */
#ifndef LIST_VIEW_H
#define LIST_VIEW_H

#include "key_sums.h"
#include "session.h"

struct list_view {
	const char *title; /* "Functions" */
	const struct key_sums *sums;
	const void *context;
	/* The name of a key's row (may be a text of the table), 0 for a key that has no row. */
	const char *(*name)(struct session *session, struct table *table, const void *context, uint32_t key);
	/* Whose size and address the row shows; NO_KEY, or a function of 0: none. */
	uint32_t (*function)(struct session *session, const void *context, uint32_t key);
	/* 0: the session's. The order is reversed where the session's is. */
	const struct metric_list *metrics;
	const struct metric_item *sorted;
	/* Not 0: rows are in the order of this number of theirs, the smallest first, and `order_name` says what it is. */
	uint64_t (*order)(const void *context, uint32_t key);
	const char *order_name;
	bool code;      /* rows of code, of which those are left out that have nothing of what the columns show */
	bool fit_times; /* times are of calls that may be short: text shows them in a unit that fits */
};
/* Prints <Total> and the rows that have a sum, by the session's metrics, sort order and limit. */
void list_view_print(struct session *session, const struct list_view *view);
/* The keys that have a row, without <Total>, in the order of the list. The caller frees the array. */
uint32_t *list_view_keys(struct session *session, const struct list_view *view, size_t *count);
/* "Functions sorted by metric: Exclusive Total CPU Time" and an empty line, above a table. */
void list_view_title(struct session *session, struct table *table, const char *what, const struct metric_item *sorted);
/* The values of <Total>: all of it, exclusive as well as inclusive. */
struct metric_values total_values(struct session *session);

/* A function's row in the list of functions has a sum in some metric. */
bool key_has_sum(const struct key_sums *sums, uint32_t key);

#endif
