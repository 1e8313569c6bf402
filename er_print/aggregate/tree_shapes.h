/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other trees made of a tree of call paths by function. Each path counts once in them, whatever recursion there is in it. */
#ifndef TREE_SHAPES_H
#define TREE_SHAPES_H

#include "path_tree.h"

/* More callers of one function than so many are left out. */
#define CALLERS_MOST 1000u

/* Leaf first: below <Total> the functions with exclusive sums, below each its callers. An inclusive sum is the exclusive sum of
   the first function on the path as far as it was called by this path. */
struct path_tree *path_tree_inverted(const struct path_tree *tree);
/* Recursion as one frame: a function that is on the path already is the frame that it has there, and calls from there what it
   calls. */
struct path_tree *path_tree_joined(const struct path_tree *tree);
/* Around a function, which is node 0 in the place of <Total>: what is below its outermost frames; and, leaf first, its callers,
   where the inclusive sums are those of the function as far as it was called by this path. Node 0 has the function's inclusive
   sums. */
struct path_tree *path_tree_callees_of(const struct path_tree *tree, uint32_t function);
struct path_tree *path_tree_callers_of(const struct path_tree *tree, uint32_t function);
/* Both in one tree: below <Total>, node 1 is the function with its callers, and node *callees with what it calls. <Total> has the
   sums of both, twice the function's. */
struct path_tree *path_tree_around(const struct path_tree *tree, uint32_t function, uint32_t *callees);

#endif
