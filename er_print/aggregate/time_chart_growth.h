/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A chart by time while it grows. */
#ifndef TIME_CHART_GROWTH_H
#define TIME_CHART_GROWTH_H

#include "time_chart.h"

struct time_chart_growth {
	struct time_chart *chart;
	size_t node_capacity, sum_capacity, start_capacity;
};
/* Begins a chart whose values are of a copy of the row, in nanoseconds if it is timed, with the node <Total>. */
struct time_chart_growth time_chart_growth_begin(const struct metric *row, bool timed);
/* Adds a node without a value, whose frame has no line and no address; returns it. */
uint32_t time_chart_add(
	struct time_chart_growth *growth, uint32_t parent, const struct path_node *like, uint64_t start);
/* Adds a lane; returns its node. */
uint32_t time_chart_add_lane(struct time_chart_growth *growth, uint32_t experiment, uint32_t thread, uint64_t start);

#endif
