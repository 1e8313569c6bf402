/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks the paths of a tree upwards or downwards. */
#include "tree_shapes.h"
#include "path_tree_growth.h"
#include "storage.h"

#include <stdlib.h>

static bool has_exclusive(const struct path_tree *tree, uint32_t node)
{
	for (unsigned m = 0; m < tree->metrics->count; m++)
		if (tree->exclusive[m] && tree->exclusive[m][node])
			return true;
	return false;
}

/* The node of the callers of a path, from the innermost of them, below `at`. */
static uint32_t grow_callers(
	struct path_tree_growth *growth, const struct path_tree *tree, uint32_t at, uint32_t caller)
{
	for (unsigned count = 0; caller && count < CALLERS_MOST; count++) {
		at = path_tree_child(growth, at, &tree->nodes[caller]);
		caller = tree->nodes[caller].parent;
	}
	return at;
}

struct path_tree *path_tree_inverted(const struct path_tree *tree)
{
	struct path_tree_growth growth = path_tree_grow(tree->metrics, FUNCTION_TOTAL);
	uint32_t *place = memory_new(tree->count, sizeof *place);
	for (uint32_t node = 0; node < tree->count; node++)
		place[node] = has_exclusive(tree, node) ? grow_callers(&growth, tree, 0, node) : NO_NODE;
	struct path_tree *inverted = path_tree_grown(&growth, tree, place, false);
	free(place);
	return inverted;
}

/* The node at or above `at` that is the function's; 0: none is. */
static uint32_t frame_on_path(const struct path_tree *tree, uint32_t at, uint32_t function)
{
	while (at && tree->nodes[at].frame.function != function)
		at = tree->nodes[at].parent;
	return at;
}

struct path_tree *path_tree_joined(const struct path_tree *tree)
{
	struct path_tree_growth growth = path_tree_grow(tree->metrics, FUNCTION_TOTAL);
	uint32_t *place = memory_new(tree->count, sizeof *place);
	for (uint32_t node = 1; node < tree->count; node++) {
		uint32_t parent = place[tree->nodes[node].parent];
		uint32_t outer = frame_on_path(growth.tree, parent, tree->nodes[node].frame.function);
		place[node] = outer ? outer : path_tree_child(&growth, parent, &tree->nodes[node]);
	}
	struct path_tree *joined = path_tree_grown(&growth, tree, place, false);
	free(place);
	return joined;
}

/* By node: whether it is the function's frame, and no frame above it is. */
static bool *outermost_frames(const struct path_tree *tree, uint32_t function)
{
	bool *outermost = memory_new(tree->count, sizeof *outermost);
	bool *inside = memory_new(tree->count, sizeof *inside);
	for (uint32_t node = 1; node < tree->count; node++) {
		const struct path_node *at = &tree->nodes[node];
		outermost[node] = at->frame.function == function && !inside[at->parent];
		inside[node] = inside[at->parent] || outermost[node];
	}
	free(inside);
	return outermost;
}

struct path_tree *path_tree_callees_of(const struct path_tree *tree, uint32_t function)
{
	struct path_tree_growth growth = path_tree_grow(tree->metrics, function);
	bool *outermost = outermost_frames(tree, function);
	uint32_t *place = memory_new(tree->count, sizeof *place);
	place[0] = NO_NODE;
	for (uint32_t node = 1; node < tree->count; node++) {
		uint32_t parent = place[tree->nodes[node].parent];
		place[node] = outermost[node]     ? 0
			      : parent == NO_NODE ? NO_NODE
						  : path_tree_child(&growth, parent, &tree->nodes[node]);
	}
	struct path_tree *callees = path_tree_grown(&growth, tree, place, false);
	free(outermost);
	free(place);
	return callees;
}

struct path_tree *path_tree_callers_of(const struct path_tree *tree, uint32_t function)
{
	struct path_tree_growth growth = path_tree_grow(tree->metrics, function);
	bool *outermost = outermost_frames(tree, function);
	uint32_t *place = memory_new(tree->count, sizeof *place);
	for (uint32_t node = 0; node < tree->count; node++)
		place[node] = outermost[node] ? grow_callers(&growth, tree, 0, tree->nodes[node].parent) : NO_NODE;
	struct path_tree *callers = path_tree_grown(&growth, tree, place, true);
	free(outermost);
	free(place);
	return callers;
}

static void append_tree(struct path_tree *tree, const struct path_tree *part)
{
	for (uint32_t node = 0; node < part->count; node++) {
		struct path_node *own = &tree->nodes[tree->count + node];
		*own = part->nodes[node];
		own->parent = node ? tree->count + own->parent : 0;
		own->first_child = own->next_sibling = 0;
		for (unsigned m = 0; m < tree->metrics->count; m++)
			if (part->exclusive[m])
				tree->exclusive[m][tree->count + node] = part->exclusive[m][node];
	}
	tree->count += part->count;
}

struct path_tree *path_tree_around(const struct path_tree *tree, uint32_t function, uint32_t *callees)
{
	struct path_tree *above = path_tree_callers_of(tree, function), *below = path_tree_callees_of(tree, function);
	struct path_tree *around = path_tree_create(tree->metrics);
	uint32_t count = 1 + above->count + below->count;
	around->nodes = memory_new(count, sizeof *around->nodes);
	around->nodes[0] = tree->nodes[0];
	around->nodes[0].first_child = 0;
	around->count = 1;
	for (unsigned m = 0; m < tree->metrics->count; m++)
		if (tree->exclusive[m])
			around->exclusive[m] = memory_new(count, sizeof **around->exclusive);
	append_tree(around, above);
	*callees = around->count;
	append_tree(around, below);
	path_tree_free(above);
	path_tree_free(below);
	path_tree_finish(around);
	return around;
}
