/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds time charts: each thread's open frames are kept, and what the next event has in common with them goes on. */
#include "time_chart.h"
#include "clock_pieces.h"
#include "search.h"
#include "storage.h"
#include "time_chart_growth.h"

#include <stdlib.h>

struct drawing {
	struct time_chart *chart;
	struct time_chart_growth growth; /* of the chart */
	const struct metric *row;
	struct event_path path;     /* of the event in hand, as the chart has it */
	double length;              /* of a unit of a sample's value, in ns; 0: events are not samples */
	uint32_t *open, open_count; /* nodes of the chart that end where the event before did, below the lane's */
	uint32_t lane;              /* node of the present one; 0: no event of its thread was drawn */
	uint64_t at;                /* where the event before ended */
	uint64_t shift;             /* added to times, so that what the first samples stand for begins at 0 or later */
};

static int compare_lengths(const void *a, const void *b)
{
	return COMPARE(*(const double *)a, *(const double *)b);
}

/* The median time between samples for each unit of their values; 0: there are no two at different times. */
static double median_length(const struct metric_events *events)
{
	double *lengths = memory_new(events->count, sizeof *lengths), median = 0;
	size_t count = 0;
	for (size_t i = 1; i < events->count; i++) {
		const struct metric_event *own = &events->all[i], *before = own - 1;
		if (own->experiment == before->experiment && own->thread == before->thread)
			lengths[count++] = (double)(own->time - before->time) / (double)own->value;
	}
	qsort(lengths, count, sizeof *lengths, compare_lengths);
	if (count)
		median = lengths[count / 2];
	free(lengths);
	return median;
}

static void begin_lane(struct drawing *drawing, const struct metric_event *event, uint64_t start)
{
	drawing->lane = time_chart_add_lane(&drawing->growth, event->experiment, event->thread, start);
	drawing->open_count = 0;
	drawing->at = start;
}

/* How many of the open frames are those of the path, `most` at most. */
static uint32_t count_shared(const struct drawing *drawing, uint32_t most)
{
	const struct path_node *nodes = drawing->chart->tree->nodes;
	uint32_t shared = 0;
	while (shared < most &&
		nodes[drawing->open[shared]].frame.function == event_path_function(&drawing->path, shared))
		shared++;
	return shared;
}

/* Draws an event, from `at` on or after a gap. Open frames go on; over a gap those do that are callers before and after it. */
static void draw(struct drawing *drawing, uint64_t begin, uint64_t end)
{
	struct path_tree *tree = drawing->chart->tree;
	uint64_t gap = begin - drawing->at;
	uint32_t most = drawing->open_count < drawing->path.count ? drawing->open_count : drawing->path.count;
	if (gap && most)
		most = drawing->path.shape.leaf_first ? 0 : most - 1;
	uint32_t shared = count_shared(drawing, most);
	tree->exclusive[0][shared ? drawing->open[shared - 1] : drawing->lane] += gap;
	for (drawing->open_count = shared; drawing->open_count < drawing->path.count; drawing->open_count++) {
		uint32_t parent = drawing->open_count ? drawing->open[drawing->open_count - 1] : drawing->lane;
		drawing->open[drawing->open_count] = time_chart_add(&drawing->growth, parent,
			&drawing->path.from->nodes[drawing->path.nodes[drawing->open_count]], begin);
	}
	uint32_t leaf = drawing->open_count ? drawing->open[drawing->open_count - 1] : drawing->lane;
	tree->exclusive[0][leaf] += end - begin;
	drawing->at = end;
	if (end > drawing->chart->width)
		drawing->chart->width = end;
}

static uint64_t length_of(const struct drawing *drawing, const struct metric_event *event)
{
	return drawing->length > 0 ? (uint64_t)((double)event->value * drawing->length + 0.5) : event->value;
}

/* When an event began and ended: never before the one before it has. */
static void span_of(const struct drawing *drawing, const struct metric_event *event, uint64_t *begin, uint64_t *end)
{
	uint64_t length = length_of(drawing, event), time = event->time + drawing->shift;
	if (!drawing->chart->timed) {
		*begin = drawing->lane ? drawing->at : 0;
		*end = *begin + event->value;
		return;
	}
	*begin = drawing->row->kind == KIND_MPI ? time : time - length;
	*end = *begin + length;
	if (!drawing->lane)
		return;
	if (drawing->at > *begin || (drawing->length > 0 && *begin - drawing->at <= length))
		*begin = drawing->at;
}

static void draw_events(struct drawing *drawing, const struct metric_events *events)
{
	uint32_t stack = UINT32_MAX;
	for (size_t i = 0; i < events->count && drawing->row->kind != KIND_MPI; i++) {
		uint64_t length = length_of(drawing, &events->all[i]), time = events->all[i].time;
		if (length > time && length - time > drawing->shift)
			drawing->shift = length - time;
	}
	for (size_t i = 0; i < events->count; i++) {
		const struct metric_event *event = &events->all[i];
		uint64_t begin, end;
		if (i && (event->experiment != event[-1].experiment || event->thread != event[-1].thread))
			drawing->lane = 0;
		span_of(drawing, event, &begin, &end);
		if (end <= begin) {
			drawing->chart->covered++;
			continue;
		}
		if (!drawing->lane)
			begin_lane(drawing, event, begin);
		if (event->stack != stack)
			event_path_find(&drawing->path, event->stack);
		stack = event->stack;
		draw(drawing, begin, end);
	}
}

/* Makes starts count from where the first lane begins. */
static void move_to_edge(const struct drawing *drawing)
{
	struct time_chart *chart = drawing->chart;
	uint64_t first = UINT64_MAX;
	for (uint32_t node = 1; node < chart->tree->count; node++)
		if (!chart->tree->nodes[node].parent && chart->starts[node] < first)
			first = chart->starts[node];
	if (first == UINT64_MAX || !chart->timed)
		return;
	for (uint32_t node = 1; node < chart->tree->count; node++)
		chart->starts[node] -= first;
	chart->begin = (int64_t)(first - drawing->shift);
	chart->width -= first;
}

static void begin_chart(struct drawing *drawing, const struct metric_events *events)
{
	const struct metric *row = drawing->row;
	drawing->length = row->kind == KIND_CLOCK ? 1 : row->kind == KIND_OVERFLOW ? median_length(events) : 0;
	drawing->growth = time_chart_growth_begin(row, row->unit == METRIC_NANOSECONDS || drawing->length > 0);
	drawing->chart = drawing->growth.chart;
}

struct time_chart *time_chart_create(const struct metric_events *events, const struct metric *row,
	const struct path_tree *tree, const struct path_shape *shape)
{
	struct drawing drawing = {.row = row, .path = event_path_begin(tree, shape)};
	begin_chart(&drawing, events);
	struct time_chart *chart = drawing.chart;
	drawing.open = memory_new((size_t)tree->depth + 1, sizeof *drawing.open);
	bool divided = metric_is_elapsed(row);
	struct metric_events pieces = divided ? clock_pieces(events, tree, &chart->covered) : *events;
	draw_events(&drawing, &pieces);
	if (divided)
		free(pieces.all);
	move_to_edge(&drawing);
	path_tree_finish(chart->tree);
	event_path_end(&drawing.path);
	free(drawing.open);
	return chart;
}

void time_chart_free(struct time_chart *chart)
{
	if (!chart)
		return;
	path_tree_free(chart->tree);
	free(chart->starts);
	free(chart->lanes);
	free(chart);
}
