/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds nodes and lanes to a chart. */
#include "time_chart_growth.h"
#include "storage.h"

struct time_chart_growth time_chart_growth_begin(const struct metric *row, bool timed)
{
	struct time_chart *chart = memory_new(1, sizeof *chart);
	struct time_chart_growth growth = {.chart = chart};
	chart->row = *row;
	chart->timed = timed;
	if (timed)
		chart->row.unit = METRIC_NANOSECONDS;
	chart->table = (struct metric_table){&chart->row, 1};
	chart->tree = path_tree_create(&chart->table);
	time_chart_add(&growth, 0, &(struct path_node){.frame.function = FUNCTION_TOTAL}, 0);
	return growth;
}

uint32_t time_chart_add(struct time_chart_growth *growth, uint32_t parent, const struct path_node *like, uint64_t start)
{
	struct path_tree *tree = growth->chart->tree;
	uint32_t function = like->frame.function;
	memory_reserve(tree->nodes, tree->count, growth->node_capacity);
	memory_reserve(*tree->exclusive, tree->count, growth->sum_capacity);
	memory_reserve(growth->chart->starts, tree->count, growth->start_capacity);
	tree->nodes[tree->count] = (struct path_node){.parent = parent,
		.heuristic = like->heuristic,
		.frame = {
			.function = function, .own = function, .address = NO_ADDRESS, .inlined = like->frame.inlined}};
	tree->exclusive[0][tree->count] = 0;
	growth->chart->starts[tree->count] = start;
	return tree->count++;
}

uint32_t time_chart_add_lane(struct time_chart_growth *growth, uint32_t experiment, uint32_t thread, uint64_t start)
{
	struct time_chart *chart = growth->chart;
	uint32_t node = time_chart_add(growth, 0, &(struct path_node){.frame.function = FUNCTION_TOTAL}, start);
	chart->lanes = memory_room(chart->lanes, chart->lane_count, sizeof *chart->lanes);
	chart->lanes[chart->lane_count++] = (struct time_lane){experiment, thread, node};
	return node;
}
