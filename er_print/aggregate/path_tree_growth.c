/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes by parent and function, and their sums. */
#include "path_tree_growth.h"
#include "storage.h"

struct path_tree_growth path_tree_grow(const struct metric_table *metrics, uint32_t function)
{
	struct path_tree_growth growth = {.tree = path_tree_create(metrics)};
	struct path_tree *tree = growth.tree;
	memory_reserve(tree->nodes, tree->count, growth.capacity);
	tree->nodes[tree->count++] =
		(struct path_node){.frame = {.function = function, .own = function, .address = NO_ADDRESS}};
	return growth;
}

uint32_t path_tree_child(struct path_tree_growth *growth, uint32_t parent, const struct path_node *from)
{
	struct path_tree *tree = growth->tree;
	uint32_t function = from->frame.function;
	uint32_t *place = number_map_place(&growth->places, number_pair(parent, function));
	if (*place == NO_NUMBER) {
		memory_reserve(tree->nodes, tree->count, growth->capacity);
		struct frame frame = {.function = function, .own = function, .address = NO_ADDRESS, .inlined = true};
		tree->nodes[tree->count] = (struct path_node){.parent = parent, .frame = frame};
		*place = tree->count++;
	}
	tree->nodes[*place].heuristic |= from->heuristic;
	tree->nodes[*place].frame.inlined &= from->frame.inlined;
	return *place;
}

struct path_tree *path_tree_grown(
	struct path_tree_growth *growth, const struct path_tree *tree, const uint32_t *place, bool inclusive)
{
	struct path_tree *grown = growth->tree;
	for (unsigned m = 0; m < tree->metrics->count; m++) {
		const uint64_t *sums = inclusive ? tree->inclusive[m] : tree->exclusive[m];
		if (!sums)
			continue;
		grown->exclusive[m] = memory_new(grown->count, sizeof **grown->exclusive);
		for (uint32_t node = 0; node < tree->count; node++)
			if (place[node] != NO_NODE)
				grown->exclusive[m][place[node]] += sums[node];
	}
	number_map_free(&growth->places);
	path_tree_finish(grown);
	return grown;
}
