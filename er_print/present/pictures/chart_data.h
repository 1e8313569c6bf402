/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data of a chart by time that scripts read beside those of its tree. */
#ifndef CHART_DATA_H
#define CHART_DATA_H

#include "data_bytes.h"
#include "flamegraph.h"

/* How far a node begins behind the end of the node before it that has the same parent, or behind the begin of its parent if it is
   the first. To be asked for all nodes in preorder. ends[node], zeroes at the beginning, is where the last of its callees ends. */
uint64_t chart_lead(const struct time_chart *chart, uint32_t node, uint64_t *ends);
/* Appends the names of the threads as texts. */
void chart_lanes(struct data_bytes *bytes, const struct flamegraph_options *options);

#endif
