/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts that every tree of call paths has, however it was made: children, inclusive sums, walks. */
#include "path_tree.h"
#include "storage.h"

#include <stdlib.h>

struct path_tree *path_tree_create(const struct metric_table *metrics)
{
	struct path_tree *tree = memory_new(1, sizeof *tree);
	tree->metrics = metrics;
	tree->exclusive = memory_new(metrics->count, sizeof *tree->exclusive);
	tree->inclusive = memory_new(metrics->count, sizeof *tree->inclusive);
	return tree;
}

static void link_children(struct path_tree *tree)
{
	/* From the last to the first, so that siblings stand in the order in which they were made. */
	for (uint32_t node = tree->count; node-- > 1;) {
		struct path_node *parent = &tree->nodes[tree->nodes[node].parent];
		tree->nodes[node].next_sibling = parent->first_child;
		parent->first_child = node;
	}
}

static void measure_depth(struct path_tree *tree)
{
	uint32_t *depth = memory_new(tree->count, sizeof *depth);
	for (uint32_t node = 1; node < tree->count; node++) {
		depth[node] = depth[tree->nodes[node].parent] + 1;
		if (depth[node] > tree->depth)
			tree->depth = depth[node];
	}
	tree->depth++;
	free(depth);
}

static void sum_inclusive(struct path_tree *tree)
{
	for (unsigned m = 0; m < tree->metrics->count; m++) {
		if (!tree->exclusive[m])
			continue;
		uint64_t *sums = tree->inclusive[m] = memory_new(tree->count, sizeof *sums);
		/* A node comes after its parent, so its sum is complete when it is handed on upwards. */
		for (uint32_t node = tree->count; node-- > 0;) {
			sums[node] += tree->exclusive[m][node];
			if (node)
				sums[tree->nodes[node].parent] += sums[node];
		}
	}
}

void path_tree_finish(struct path_tree *tree)
{
	link_children(tree);
	measure_depth(tree);
	sum_inclusive(tree);
}

void path_tree_free(struct path_tree *tree)
{
	if (!tree)
		return;
	for (unsigned m = 0; m < tree->metrics->count; m++) {
		free(tree->exclusive[m]);
		free(tree->inclusive[m]);
	}
	free(tree->exclusive);
	free(tree->inclusive);
	free(tree->nodes);
	free(tree->node_of);
	free(tree);
}

void path_tree_walk(const struct path_tree *tree, path_tree_visitor *enter, path_tree_visitor *leave, void *context)
{
	/* A loop and no recursion: stacks of a recursive program may be hundreds of thousands of frames deep. */
	uint32_t node = 0, depth = 0;
	for (;;) {
		const struct path_node *at = &tree->nodes[node];
		enter(context, node, depth);
		if (at->first_child) {
			node = at->first_child;
			depth++;
			continue;
		}
		if (leave)
			leave(context, node, depth);
		while (node && !tree->nodes[node].next_sibling) {
			node = tree->nodes[node].parent;
			depth--;
			if (leave)
				leave(context, node, depth);
		}
		if (!node)
			return;
		node = tree->nodes[node].next_sibling;
	}
}
