/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics that only the data knows: one per counter whose overflows were recorded, and the quotients of counters
   (counter_ratios.def). Counters of the same name in several experiments are one metric. */
#ifndef COUNTER_METRICS_H
#define COUNTER_METRICS_H

#include "metrics.h"

/* A table that begins with the rows of metrics.def and only grows, so that a row's number stays true. */
struct metric_rows {
	struct metric_table table; /* what functions take */
	struct metric *rows;
	unsigned capacity;
};
/* Adds a row for each counter of the data that has none yet, and for each quotient that has its parts now. */
void metric_rows_extend(struct metric_rows *rows, const struct data *data);
/* Adds a row, whose name and title become the rows' if it is a counter's or one of a balance. */
void metric_rows_add(struct metric_rows *rows, const struct metric *row);
void metric_rows_free(struct metric_rows *rows);

/* How fast a counter of cycles counts, in kHz: the harmonic mean over the experiments of a group (by experiment, as
   event_filter.groups; group 0: over all); 0 if one of them does not know its rate. */
uint64_t counter_rate(const struct data *data, const char *name, const uint32_t *groups, uint32_t group);
/* The number of the counter of that name in an experiment, -1 if it has none. */
int metric_counter_in(const struct experiment *experiment, const char *name);

#endif
