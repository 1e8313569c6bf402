/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The filter expression and the selections, which keep events from being counted. */
#ifndef EVENT_FILTER_H
#define EVENT_FILTER_H

#include "expression.h"
#include "kernel_threads.h"
#include "selection.h"

/* A filter of zeroes keeps all. */
struct event_filter {
	struct expression *expression; /* prepared; 0: keeps all */
	const struct selection *selection;
	struct kernel_threads threads; /* read where LWPs are selected */
	struct resolver *resolver;     /* for metrics that ask what a stack's functions are; 0: they are zero */
};
/* Visits as data_visit does, the events that the filter keeps only; filter 0: all. */
void event_filter_visit(
	struct data *data, enum kind kind, const struct event_filter *filter, data_visitor *visitor, void *context);
/* Visits all events as data_visit_in_time does; kept[i] says whether the filter keeps the i-th of the batch, kept 0: all.
   For what needs to see the other events as well, like a block's release. */
typedef void marked_visitor(void *context, const struct data_batch *batch, const bool *kept);
void event_filter_mark_in_time(
	struct data *data, enum kind kind, const struct event_filter *filter, marked_visitor *visitor, void *context);

#endif
