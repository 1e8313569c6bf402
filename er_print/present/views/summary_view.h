/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary panel of a function, a line or an instruction. */
#ifndef SUMMARY_VIEW_H
#define SUMMARY_VIEW_H

#include "facts.h"
#include "list_view.h"
#include "metric_columns.h"

/* Prints the panels of a list's rows, <Total> first, in the order of the list and within its limit. `identity` adds what a
   row is below its metrics. */
typedef void summary_identity(
	struct session *session, struct facts *facts, const struct list_view *view, uint32_t key, size_t width);
void summary_print_list(struct session *session, const struct list_view *view, summary_identity *identity);
/* "    Label: value (share of the total)". */
void summary_add_metric(struct session *session, struct facts *facts, const struct metric_item *item,
	const struct metric_values *values, size_t width);
/* "    Label: text", labels being `width` wide. */
void summary_add_text(struct facts *facts, const char *label, const char *text, size_t width);
/* The lines about the load object of a function. */
void summary_add_object(struct session *session, struct facts *facts, uint32_t function, size_t width);

#endif
