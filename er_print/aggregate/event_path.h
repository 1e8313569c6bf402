/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The path of an event's stack by function, as pictures shape it. */
#ifndef EVENT_PATH_H
#define EVENT_PATH_H

#include "path_tree.h"

/* How the frames of a stack become a path. */
struct path_shape {
	bool joined;     /* a function is on a path once (path_tree_joined) */
	bool leaf_first; /* paths begin with the leaf (path_tree_inverted) */
};
struct event_path {
	const struct path_tree *from; /* the tree of the stacks (path_tree_build) */
	struct path_shape shape;
	uint32_t *nodes, count; /* of `from`: what was found last, <Total> left out */
	uint32_t functions;     /* of `from`: each is less than this */
	uint32_t *place; /* [function] one more than its place on the path while that is joined; 0: it is on none */
};
struct event_path event_path_begin(const struct path_tree *from, const struct path_shape *shape);
void event_path_find(struct event_path *path, uint32_t stack);
/* The function at a place of the path. */
static inline uint32_t event_path_function(const struct event_path *path, uint32_t place)
{
	return path->from->nodes[path->nodes[place]].frame.function;
}
void event_path_end(struct event_path *path);

#endif
