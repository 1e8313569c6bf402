/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of one metric in the order of time: for pictures and formats that have a time axis. */
#ifndef METRIC_EVENTS_H
#define METRIC_EVENTS_H

#include "event_filter.h"
#include "metrics.h"

struct metric_event {
	uint64_t time;  /* ns since the founder's start */
	uint64_t value; /* in the metric's unit */
	uint32_t experiment, thread, stack;
	uint32_t order; /* among those of the experiment's that have the same time: as they were recorded */
	enum kind kind;
};
struct metric_events {
	struct metric_event *all; /* by experiment, thread, time, order */
	size_t count;
};

/* Those that the filter keeps (0: all), without those whose value is 0. Their values sum to the metric's total by stack_sums. The
   metric is no ratio. The caller frees the array. */
struct metric_events metric_events_read(
	struct data *data, const struct metric_table *metrics, unsigned metric, const struct event_filter *filter);
/* With readings of counters that had counted nothing, since they end an interval. */
struct metric_events metric_events_read_all(
	struct data *data, const struct metric_table *metrics, unsigned metric, const struct event_filter *filter);
/* By experiment, thread, time, order. */
void metric_events_sort(struct metric_events *events);

#endif
