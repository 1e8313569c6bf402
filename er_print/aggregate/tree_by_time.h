/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tree whose siblings are in the order of time. */
#ifndef TREE_BY_TIME_H
#define TREE_BY_TIME_H

#include "event_path.h"
#include "metric_events.h"

/* A copy of a tree by function, of that shape, of the stacks of `from` (path_tree_build): its nodes are in preorder, siblings by
   the first event on their paths; those without an event come last. */
struct path_tree *tree_by_time(const struct path_tree *tree, const struct metric_events *events,
	const struct path_tree *from, const struct path_shape *shape);

#endif
