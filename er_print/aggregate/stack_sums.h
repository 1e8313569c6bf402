/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one pass over the events: for each metric, the sum of each stack (data->stacks index). Everything that
   is shown is computed from these sums; they merge by addition. */
#ifndef STACK_SUMS_H
#define STACK_SUMS_H

#include "data.h"
#include "event_filter.h"
#include "metrics.h"
#include <stdbool.h>
#include <stdint.h>

struct stack_sums {
	const struct metric_table *metrics;
	uint32_t stack_count;
	uint64_t **of;    /* of[metric][stack]; of[metric] is 0 where no data of its kind was recorded, and for
			    ratios */
	uint64_t *total;  /* per metric, all stacks: includes the stack 0 (<no stack>) */
	bool *recorded;   /* per metric: data of its kind was recorded (even if the sum is 0); of a ratio: of
			    both parts */
	uint64_t *events; /* per metric: number of events */
};
/* Decodes the events of each kind once, and counts those that the filter keeps (0: all), for the metrics that are wanted (0:
   all), which is by metric; the others have no sums. The table must outlive the sums. */
struct stack_sums *stack_sums_compute(
	struct data *data, const struct metric_table *metrics, const struct event_filter *filter, const bool *wanted);
/* Whether an experiment has events of a kind, or had none to record. */
bool experiment_has_kind(const struct experiment *file, enum kind kind);
/* Whether a metric is to be wanted only where it is shown: it costs a pass of its own and is shown only if it is asked for; or it
   is a thread's state, which every clock profile has, and functions that only waited are not to fill lists of CPU time. */
bool metric_is_on_demand(const struct metric *row);
/* For each metric whether data of its kind was recorded, as in the sums, without reading events. The caller frees the
   array. */
bool *metrics_recorded(const struct data *data, const struct metric_table *metrics);
void stack_sums_free(struct stack_sums *sums);

#endif
