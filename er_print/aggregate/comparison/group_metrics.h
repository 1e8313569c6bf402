/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of groups of experiments apart: the rows of a table once for each group, so that all that is computed from sums (trees,
   functions, callers, lines) has a sum of each group without knowing of groups. Metric m of group g, from 1, is row
   m + (g - 1) * own_count. */
#ifndef GROUP_METRICS_H
#define GROUP_METRICS_H

#include "metrics.h"

/* Zero-initialised is empty. */
struct group_metrics {
	struct metric_table table;
	struct metric *rows;
	unsigned own_count, groups; /* rows of each group, and how many groups */
};
/* `groups` of the table's rows, whose texts they share. By experiment, group_of says its group, from 1: cycles are as long as
   they were in the experiments of the group. group_of 0: the groups are not of experiments. */
struct group_metrics group_metrics_create(
	const struct metric_table *table, const struct data *data, const uint32_t *group_of, unsigned groups);
void group_metrics_free(struct group_metrics *metrics);

/* How much of each sampled metric (clock profiling, overflows of counters, counts of folded stacks) one sample stands for: its
   sum of squares divided by its sum, over what the filter keeps, so that unequal samples count as they add to the variance. By
   row; 0: it is not sampled, or nothing of it was. The caller frees the array. */
struct event_filter;
double *group_metrics_sample_size(
	const struct group_metrics *metrics, struct data *data, const struct event_filter *filter);

#endif
