/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tree of call paths by function while it is made. For the files that make such trees only. */
#ifndef PATH_TREE_GROWTH_H
#define PATH_TREE_GROWTH_H

#include "number_map.h"
#include "path_tree.h"

struct path_tree_growth {
	struct path_tree *tree;
	size_t capacity;
	struct number_map places; /* (parent, function) -> node */
};
/* Begins with the node of <Total>, or another function that the tree is about. */
struct path_tree_growth path_tree_grow(const struct metric_table *metrics, uint32_t function);
/* The node of a function called by `parent`; added when new. It is like all nodes `from` of another tree that it stands for: by
   heuristics if one was, inlined if all were. */
uint32_t path_tree_child(struct path_tree_growth *growth, uint32_t parent, const struct path_node *from);
/* Sums are those of `tree` by node, added up at place[node] of the new tree (NO_NODE: nowhere), exclusive ones or inclusive ones.
   Ends the growth. */
#define NO_NODE UINT32_MAX
struct path_tree *path_tree_grown(
	struct path_tree_growth *growth, const struct path_tree *tree, const uint32_t *place, bool inclusive);

#endif
