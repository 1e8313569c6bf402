/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one tree of call paths of the user's model (inlined functions are frames of their own, artificial
   functions where a walk ended): every view reads it. A node is a call path; its exclusive sums are those of
   the stacks that end there.

     <Total>  (node 0)
       +- main
       |    +- f
   Exact on integer sums: I(node) = E(node) + sum of I(children). */
#ifndef PATH_TREE_H
#define PATH_TREE_H

#include "resolver.h"
#include "stack_sums.h"
#include "stack_view.h"

enum { NO_ADDRESS = UINT32_MAX }; /* frame.address of an artificial function, or of a merged node */

struct path_node {
	uint32_t parent; /* a parent's index is less than its child's; node 0 is <Total>, its own parent */
	uint32_t first_child, next_sibling; /* 0: none */
	struct frame frame;
	bool heuristic; /* the frame (of a merged node: one of them) was found by heuristics */
};
struct path_tree {
	const struct metric_table *metrics;
	struct path_node *nodes;
	uint32_t count;
	uint32_t depth;                    /* nodes on the longest path */
	uint64_t **exclusive, **inclusive; /* [metric][node]; null where the sums of the metric are */
	uint32_t stack_count;
	uint32_t *
		node_of; /* of a tree of stacks, by stack: its node; that of a stack without a sum is 0, as a rule. Else null */
};
/* The tree of all stacks that have a sum other than 0: nodes are per call path by pc, so two call sites of
   one caller are two nodes. Resolves only what it needs. */
struct path_tree *path_tree_build(struct resolver *resolver, const struct data *data, const struct stack_sums *sums,
	const struct stack_view *view);
/* Merges the call sites of a tree: the same paths by function. Its frames have no line and no address. */
struct path_tree *path_tree_merge(const struct path_tree *tree);
void path_tree_free(struct path_tree *tree);

/* Links the children and sums the inclusive values of a tree whose nodes (parent, frame) and exclusive sums
 * are set. */
void path_tree_finish(struct path_tree *tree);
/* A tree without nodes for the metrics of a table. */
struct path_tree *path_tree_create(const struct metric_table *metrics);

/* Walks the tree from <Total>: enter() before a node's descendants, leave() (0: nothing) after them. Needs no memory,
   however deep the tree is. Depth of <Total> is 0. */
typedef void path_tree_visitor(void *context, uint32_t node, uint32_t depth);
void path_tree_walk(const struct path_tree *tree, path_tree_visitor *enter, path_tree_visitor *leave, void *context);

#endif
