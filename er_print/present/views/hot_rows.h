/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which rows of annotated source or disassembly are hot. */
#ifndef HOT_ROWS_H
#define HOT_ROWS_H

#include "key_sums.h"
#include "metric_columns.h"
#include "session.h"

/* The largest value of the keys for each metric that is shown. The caller frees it. */
uint64_t *hot_limits(struct session *session, const struct key_sums *sums);
/* A value is at least `percent` of the largest and not 0, for one of the metrics that are shown. */
bool is_hot(struct session *session, unsigned percent, const uint64_t *limits, const struct metric_values *values);

#endif
