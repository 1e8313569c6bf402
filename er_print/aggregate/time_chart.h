/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of a metric as they follow one another in each thread, as a tree: a node is a call path from the first of the events
   in a row that have it on their stack until the last. Events of one path are one after another without a gap, or are frames of
   their own below the callers that they share: these go on. */
#ifndef TIME_CHART_H
#define TIME_CHART_H

#include "event_path.h"
#include "metric_events.h"

struct time_lane {
	uint32_t experiment, thread;
	uint32_t node; /* a child of <Total> */
};
struct time_chart {
	struct path_tree
		*tree; /* below <Total> a node for each lane; nodes are in preorder, and so in the order of time */
	struct metric_table table;
	struct metric row;       /* the only one of the tree: of time, or of the metric itself */
	uint64_t *starts;        /* [node] where it begins, from the chart's left edge on */
	struct time_lane *lanes; /* threads, by experiment, thread */
	uint32_t lane_count;
	bool timed;     /* values are nanoseconds of elapsed time; else the metric's values, one event after another */
	int64_t begin;  /* of the left edge: ns since the founder's start, or before it; 0 where it is not timed */
	uint64_t width; /* from the left edge to the end of the last event */
	uint64_t thinned; /* frames that were taken out */
	uint64_t covered; /* events that are not in the chart: others of their thread have their time */
};
/* `tree`: that of the stacks (path_tree_build), which have sums of the metric. Events that last are drawn from their begin to
   their end. A sample of the clock or of a counter reaches back as far as it stands for, and over a gap of no more than that, to
   the sample before it: how long the interval of a counter is tells the median of the times between its samples. Among intervals of
   the thread, a clock event is the times between these (clock_pieces.h). Events of other
   kinds, and those without times, are not timed. time_chart_free() frees it. */
struct time_chart *time_chart_create(const struct metric_events *events, const struct metric *row,
	const struct path_tree *tree, const struct path_shape *shape);
/* Takes the shortest frames out until no more than about so many are left: their callers have their time. */
void time_chart_thin_out(struct time_chart *chart, uint32_t most);
void time_chart_free(struct time_chart *chart);

#endif
