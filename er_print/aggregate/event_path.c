/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the paths of stacks. */
#include "event_path.h"
#include "storage.h"

#include <stdlib.h>

static uint32_t functions_of(const struct path_tree *tree)
{
	uint32_t last = 0;
	for (uint32_t node = 0; node < tree->count; node++)
		if (tree->nodes[node].frame.function > last)
			last = tree->nodes[node].frame.function;
	return last + 1;
}

struct event_path event_path_begin(const struct path_tree *from, const struct path_shape *shape)
{
	uint32_t functions = functions_of(from);
	return (struct event_path){.from = from,
		.shape = *shape,
		.functions = functions,
		.nodes = memory_new((size_t)from->depth + 1, sizeof(uint32_t)),
		.place = memory_new(functions, sizeof(uint32_t))};
}

static void reverse(uint32_t *list, uint32_t count)
{
	for (uint32_t low = 0, high = count; low + 1 < high; low++, high--) {
		uint32_t swap = list[low];
		list[low] = list[high - 1];
		list[high - 1] = swap;
	}
}

/* A function that is on the path already is the frame that it has there, and calls from there what it calls. */
static void join(struct event_path *path)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < path->count; i++) {
		uint32_t *place = &path->place[event_path_function(path, i)];
		if (*place) {
			while (count > *place)
				path->place[event_path_function(path, --count)] = 0;
			continue;
		}
		path->nodes[count++] = path->nodes[i];
		*place = count;
	}
	for (uint32_t i = 0; i < count; i++)
		path->place[event_path_function(path, i)] = 0;
	path->count = count;
}

void event_path_find(struct event_path *path, uint32_t stack)
{
	path->count = 0;
	for (uint32_t node = path->from->node_of[stack]; node; node = path->from->nodes[node].parent)
		path->nodes[path->count++] = node;
	reverse(path->nodes, path->count);
	if (path->shape.joined)
		join(path);
	if (path->shape.leaf_first)
		reverse(path->nodes, path->count);
}

void event_path_end(struct event_path *path)
{
	free(path->nodes);
	free(path->place);
}
