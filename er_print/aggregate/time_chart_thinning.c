/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes frames out of charts that no program could show. */
#include "storage.h"
#include "time_chart.h"

#include <stdlib.h>

enum { PARTS = 16, CLASSES = 64 * PARTS }; /* of lengths: powers of two, each in equal parts */

/* The class of a length, of longer ones the higher. */
static unsigned class_of(uint64_t length)
{
	unsigned power = length ? 63 - (unsigned)__builtin_clzll(length) : 0;
	uint64_t rest = length - (length ? 1ull << power : 0);
	unsigned part = (unsigned)(power > 4 ? rest >> (power - 4) : rest << (4 - power));
	return power * PARTS + part;
}

/* The lowest class of those that are so few together. */
static unsigned lowest_class(const struct time_chart *chart, uint32_t most)
{
	uint64_t *number = memory_new(CLASSES, sizeof *number), sum = 0;
	const uint64_t *lengths = chart->tree->inclusive[0];
	unsigned lowest = CLASSES;
	for (uint32_t node = 1; node < chart->tree->count; node++)
		number[class_of(lengths[node])]++;
	while (lowest && sum + number[lowest - 1] <= most)
		sum += number[--lowest];
	free(number);
	return lowest;
}

/* No callee is longer than its caller, so a node that stays has one that stays. Lanes stay. */
static uint32_t keep_nodes(struct time_chart *chart, unsigned lowest, uint32_t *place)
{
	struct path_tree *tree = chart->tree;
	uint64_t *exclusive = tree->exclusive[0];
	const uint64_t *inclusive = tree->inclusive[0];
	uint32_t kept = 0;
	for (uint32_t node = 0; node < tree->count; node++) {
		const struct path_node own = tree->nodes[node];
		uint32_t parent = place[own.parent];
		if (own.parent && (parent == UINT32_MAX || class_of(inclusive[node]) < lowest)) {
			if (parent != UINT32_MAX)
				exclusive[parent] += inclusive[node];
			place[node] = UINT32_MAX;
			continue;
		}
		place[node] = kept;
		tree->nodes[kept] = own;
		tree->nodes[kept].parent = node ? parent : 0;
		tree->nodes[kept].first_child = tree->nodes[kept].next_sibling = 0;
		exclusive[kept] = exclusive[node];
		chart->starts[kept++] = chart->starts[node];
	}
	return kept;
}

void time_chart_thin_out(struct time_chart *chart, uint32_t most)
{
	struct path_tree *tree = chart->tree;
	if (tree->count <= most)
		return;
	uint32_t *place = memory_new(tree->count, sizeof *place);
	uint32_t kept = keep_nodes(chart, lowest_class(chart, most), place);
	for (uint32_t i = 0; i < chart->lane_count; i++)
		chart->lanes[i].node = place[chart->lanes[i].node];
	chart->thinned += tree->count - kept;
	tree->count = kept;
	tree->depth = 0;
	free(tree->inclusive[0]);
	tree->inclusive[0] = 0;
	path_tree_finish(tree);
	free(place);
}
