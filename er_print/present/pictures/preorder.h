/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nodes of a tree in preorder, siblings in the order of their functions' names or as they are. */
#ifndef PREORDER_H
#define PREORDER_H

#include "picture_functions.h"

struct preorder {
	uint32_t *nodes; /* node 0 is the first */
	uint32_t *depths;
	uint32_t count;
};
/* Only nodes for which `has` holds; if it does for a node, it does for its parent. Node `last` stands in the row of node 0, after
   all that is below that; 0: none does. `functions` 0: siblings are in the order of their numbers. preorder_free() frees it. */
struct preorder preorder_of(const struct path_tree *tree, const struct picture_function *functions, uint32_t last,
	bool (*has)(const void *context, uint32_t node), const void *context);
void preorder_free(struct preorder *preorder);

#endif
