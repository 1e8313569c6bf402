/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of each metric by the value that an expression has for an event: by thread, by second, by whatever a user defines. A
   leak is its allocation's. */
#ifndef INDEX_SUMS_H
#define INDEX_SUMS_H

#include "event_filter.h"
#include "key_sums.h"

struct index_sums {
	struct key_sums sums; /* by place in `values`; inclusive is exclusive */
	int64_t *values;
	uint32_t count;
};
/* Sums of the events that the filter keeps (0: all), and of the passes of metrics that are wanted (0: all), which is by metric. The
   expression is prepared. */
struct index_sums *index_sums_compute(struct data *data, const struct metric_table *metrics,
	const struct event_filter *filter, const bool *wanted, struct expression *expression);
void index_sums_free(struct index_sums *sums);

#endif
