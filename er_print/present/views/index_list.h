/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of the values that an expression has, with their metrics. */
#ifndef INDEX_LIST_H
#define INDEX_LIST_H

#include "list_view.h"

struct index_list {
	const char *title, *text; /* the expression */
	enum index_row row;
	/* In place of `row`: what a value's row is called, maybe a text of the table. */
	const char *(*name)(
		struct session *session, struct table *table, const struct expression *expression, int64_t value);
	const struct metric_list *metrics;
	const struct metric_item *sorted;
	const char *by_value; /* not 0: rows are in the order of their values, which this is a word for: "size" */
	bool only_shown;      /* leave out what has none of these metrics */
};
bool index_list_print(struct session *session, const struct index_list *list);
/* As index_list_print(), with the metrics of the counters whose data addresses were recorded; an error if there are none. */
bool data_list_print(struct session *session, const struct index_list *list);

#endif
