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
	const uint32_t *groups;        /* by experiment: its group, from 1; 0: they are not told apart */
	/* The groups are the events for which one of these, prepared, is true: an event may be of several, or of none.
	   0: they are groups of experiments. */
	struct expression *const *parts;
	unsigned part_count;
	uint32_t group; /* only events of this group are kept; 0: of all */
};
/* The group of the events of a batch that a visitor got; 0: not told apart. */
static inline uint32_t event_filter_group(
	const struct event_filter *filter, const struct data *data, const struct data_batch *batch)
{
	if (batch->group || !filter || filter->parts)
		return batch->group;
	return filter->groups ? filter->groups[batch->experiment - data->experiments] : 0;
}
/* Whether a filter (0: one that keeps all) keeps events of this experiment, as far as its group goes. */
static inline bool event_filter_has_group(const struct event_filter *filter, uint32_t experiment)
{
	return !filter || !filter->group || filter->parts || !filter->groups ||
	       filter->groups[experiment] == filter->group;
}
/* A filter (0: one that keeps all) that keeps those of a group only (0: as it is); valid as long as the filter is. */
static inline struct event_filter event_filter_of_group(const struct event_filter *filter, uint32_t group)
{
	struct event_filter of_group = filter ? *filter : (struct event_filter){0};
	of_group.group = group ? group : of_group.group;
	return of_group;
}
/* Whether it keeps every event; 0 does. */
bool event_filter_keeps_all(const struct event_filter *filter);
/* Visits as data_visit does, the events that the filter keeps only; filter 0: all. */
void event_filter_visit(
	struct data *data, enum kind kind, const struct event_filter *filter, data_visitor *visitor, void *context);
/* Visits so for visitors that ask event_filter_group(): they get the events of each group, those of several as often. */
void event_filter_visit_groups(
	struct data *data, enum kind kind, const struct event_filter *filter, data_visitor *visitor, void *context);
/* Visits as that does, as data_visit_apart does: the contexts are by worker. */
void event_filter_visit_groups_apart(struct data *data, enum kind kind, const struct event_filter *filter,
	data_visitor *visitor, void *const *contexts);
/* Visits all events as data_visit_in_time does; kept[i] says whether the filter keeps the i-th of the batch, kept 0: all.
   For what needs to see the other events as well, like a block's release. */
typedef void marked_visitor(void *context, const struct data_batch *batch, const bool *kept);
void event_filter_mark_in_time(
	struct data *data, enum kind kind, const struct event_filter *filter, marked_visitor *visitor, void *context);
/* Likewise as data_visit_kinds_in_time does. */
void event_filter_mark_kinds_in_time(struct data *data, uint32_t experiment, const enum kind *kinds,
	unsigned kind_count, const struct event_filter *filter, marked_visitor *visitor, void *context);
/* Likewise as data_visit_in_turn does, and as data_visit_threads_in_time does. */
void event_filter_mark_in_turn(
	struct data *data, enum kind kind, const struct event_filter *filter, marked_visitor *visitor, void *context);
void event_filter_mark_threads_in_time(
	struct data *data, enum kind kind, const struct event_filter *filter, marked_visitor *visitor, void *context);

#endif
