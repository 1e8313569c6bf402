/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call paths of two groups of experiments as one tree, as a picture of their difference draws them: each node has the sums of
   both, made comparable, and the sum that is its width. */
#ifndef DIFFERENCE_TREE_H
#define DIFFERENCE_TREE_H

#include "path_tree.h"

/* Rows of the tree's metrics. All three are in parts of the metric's unit: value / difference_tree.parts. */
enum difference_row { DIFFERENCE_DRAWN, DIFFERENCE_BEFORE, DIFFERENCE_AFTER, DIFFERENCE_ROWS };
enum difference_width {
	WIDTH_AFTER,  /* what the second group has; what only the first has is below a node of its own */
	WIDTH_MEAN,   /* the sum of both: twice their mean */
	WIDTH_CHANGE, /* by how much the exclusive sums differ */
};
/* A group's sums in the tree of both. */
struct difference_side {
	unsigned metric; /* row of that tree's table */
	double scale;    /* makes values comparable: struct sampled_sum has these three */
	double sample;
	bool share;
};
struct difference_tree {
	struct path_tree *tree;
	struct metric_table table;
	struct metric rows[DIFFERENCE_ROWS];
	struct difference_side before, after;
	double parts;       /* of one unit of the metric; 1 where nothing is scaled, so that sums are exact */
	double drawn_parts; /* of one unit in a width: twice as many of WIDTH_MEAN */
	/* WIDTH_AFTER: the child of node 0 below which are copies of the paths that have nothing after. These nodes are as wide as
	   they were before, have no other sums, and follow all others. 0: there are none. */
	uint32_t missing;
};
/* `tree`: nodes by function (path_tree_merge). difference_tree_free() frees it. */
struct difference_tree *difference_tree_create(const struct path_tree *tree, const struct difference_side *before,
	const struct difference_side *after, enum difference_width width);
void difference_tree_free(struct difference_tree *difference);

/* How a node's sum has changed, in the unit of the metric. */
struct change {
	double before, after;
	bool within; /* 2 standard errors: sampling alone makes as much */
};
struct change difference_change(const struct difference_tree *difference, uint32_t node, bool exclusive);
/* Whether a node is of a path that has nothing after, in a tree that has these apart. */
bool difference_is_missing(const struct difference_tree *difference, uint32_t node);
/* The largest change of a node that is drawn, but of <Total> and of what is missing: at most this is a colour's share 1. */
double difference_most(const struct difference_tree *difference, bool exclusive);

#endif
