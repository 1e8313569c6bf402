/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges the call sites of a tree: paths by function. */
#include "number_map.h"
#include "path_tree.h"
#include "storage.h"

#include <stdlib.h>

static uint32_t merged_node(
	struct path_tree *merged, size_t *capacity, struct number_map *places, uint32_t parent, uint32_t function)
{
	uint32_t *place = number_map_place(places, number_pair(parent, function));
	if (*place == NO_NUMBER) {
		memory_reserve(merged->nodes, merged->count, *capacity);
		struct frame frame = {.function = function, .own = function, .address = NO_ADDRESS, .inlined = true};
		merged->nodes[merged->count] = (struct path_node){.parent = parent, .frame = frame};
		*place = merged->count++;
	}
	return *place;
}

struct path_tree *path_tree_merge(const struct path_tree *tree)
{
	struct path_tree *merged = path_tree_create(tree->metrics);
	struct number_map places = {0};
	size_t capacity = 0;
	uint32_t *merged_of = memory_new(tree->count, sizeof *merged_of);
	for (uint32_t node = 0; node < tree->count; node++) {
		const struct path_node *from = &tree->nodes[node];
		/* <Total> is nobody's child: its parent here is a number that no node has. */
		uint32_t parent = node ? merged_of[from->parent] : UINT32_MAX;
		uint32_t to = merged_node(merged, &capacity, &places, parent, from->frame.function);
		merged->nodes[to].heuristic |= from->heuristic;
		/* It is shown as inlined only where every call site was. */
		merged->nodes[to].frame.inlined &= from->frame.inlined;
		merged_of[node] = to;
	}
	merged->nodes[0].parent = 0;
	for (unsigned m = 0; m < tree->metrics->count; m++) {
		if (!tree->exclusive[m])
			continue;
		merged->exclusive[m] = memory_new(merged->count, sizeof **merged->exclusive);
		for (uint32_t node = 0; node < tree->count; node++)
			merged->exclusive[m][merged_of[node]] += tree->exclusive[m][node];
	}
	free(merged_of);
	number_map_free(&places);
	path_tree_finish(merged);
	return merged;
}
