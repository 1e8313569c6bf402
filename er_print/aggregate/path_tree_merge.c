/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges the call sites of a tree: paths by function. */
#include "path_tree_growth.h"
#include "storage.h"

#include <stdlib.h>

struct path_tree *path_tree_merge(const struct path_tree *tree)
{
	struct path_tree_growth growth = path_tree_grow(tree->metrics, FUNCTION_TOTAL);
	uint32_t *place = memory_new(tree->count, sizeof *place);
	for (uint32_t node = 1; node < tree->count; node++)
		place[node] = path_tree_child(&growth, place[tree->nodes[node].parent], &tree->nodes[node]);
	struct path_tree *merged = path_tree_grown(&growth, tree, place, false);
	free(place);
	return merged;
}
