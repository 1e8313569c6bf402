/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers each path by its first event, and sorts. */
#include "tree_by_time.h"
#include "number_map.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

static int by_time(const void *left, const void *right)
{
	const struct metric_event *a = left, *b = right;
	return COMPARE(a->time, b->time) ?: COMPARE(a->order, b->order) ?: COMPARE(a->experiment, b->experiment) ?:
	       COMPARE(a->thread, b->thread);
}

static struct number_map nodes_by_parent(const struct path_tree *tree)
{
	struct number_map places = {0}; /* (parent, function) -> node */
	for (uint32_t node = 1; node < tree->count; node++)
		*number_map_place(&places, number_pair(tree->nodes[node].parent, tree->nodes[node].frame.function)) =
			node;
	return places;
}

/* Gives a number to the nodes of a path that have none. */
static void number_path(struct number_map *places, const struct event_path *path, uint32_t number, uint32_t *first)
{
	uint32_t at = 0;
	for (uint32_t i = 0; i < path->count; i++) {
		at = *number_map_place(places, number_pair(at, event_path_function(path, i)));
		if (at == NO_NUMBER)
			return;
		if (first[at] > number)
			first[at] = number;
	}
}

/* By node: a number that is the less, the earlier its first event is; UINT32_MAX: it has none. */
static uint32_t *number_nodes(const struct path_tree *tree, const struct metric_events *events,
	const struct path_tree *from, const struct path_shape *shape)
{
	struct number_map places = nodes_by_parent(tree);
	struct event_path path = event_path_begin(from, shape);
	struct metric_event *sorted = memory_new(events->count, sizeof *sorted);
	uint32_t *first = memory_new(tree->count, sizeof *first);
	bool *known = memory_new(from->stack_count, sizeof *known);
	for (uint32_t node = 0; node < tree->count; node++)
		first[node] = UINT32_MAX;
	for (size_t i = 0; i < events->count; i++)
		sorted[i] = events->all[i];
	if (events->count)
		qsort(sorted, events->count, sizeof *sorted, by_time);
	for (size_t i = 0; i < events->count; i++) {
		if (known[sorted[i].stack])
			continue;
		known[sorted[i].stack] = true;
		event_path_find(&path, sorted[i].stack);
		number_path(&places, &path, i < UINT32_MAX ? (uint32_t)i : UINT32_MAX, first);
	}
	free(known);
	free(sorted);
	event_path_end(&path);
	number_map_free(&places);
	return first;
}

struct sorting {
	const struct path_tree *tree;
	const uint32_t *first;
};

static int by_first(const void *left, const void *right, void *context)
{
	const struct sorting *sorting = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return COMPARE(sorting->first[a], sorting->first[b]) ?: COMPARE(a, b);
}

/* The nodes in preorder; the caller frees them. */
static uint32_t *sort_nodes(struct sorting *sorting)
{
	const struct path_tree *tree = sorting->tree;
	uint32_t *order = memory_new(tree->count, sizeof *order), count = 0;
	uint32_t *waiting = memory_new(tree->count, sizeof *waiting), waiting_count = 1;
	while (waiting_count) {
		uint32_t node = waiting[--waiting_count], base = waiting_count;
		order[count++] = node;
		for (uint32_t child = tree->nodes[node].first_child; child; child = tree->nodes[child].next_sibling)
			waiting[waiting_count++] = child;
		if (waiting_count - base < 2)
			continue;
		qsort_r(waiting + base, waiting_count - base, sizeof *waiting, by_first, sorting);
		for (uint32_t low = base, high = waiting_count; low + 1 < high; low++, high--) {
			uint32_t swap = waiting[low];
			waiting[low] = waiting[high - 1];
			waiting[high - 1] = swap;
		}
	}
	free(waiting);
	return order;
}

static struct path_tree *copy_in_order(const struct path_tree *tree, const uint32_t *order)
{
	struct path_tree *copy = path_tree_create(tree->metrics);
	uint32_t *place = memory_new(tree->count, sizeof *place);
	copy->nodes = memory_new(tree->count, sizeof *copy->nodes);
	copy->count = tree->count;
	for (uint32_t i = 0; i < tree->count; i++) {
		const struct path_node *node = &tree->nodes[order[i]];
		place[order[i]] = i;
		copy->nodes[i] = (struct path_node){
			.parent = place[node->parent], .frame = node->frame, .heuristic = node->heuristic};
	}
	for (unsigned m = 0; m < tree->metrics->count; m++) {
		if (!tree->exclusive[m])
			continue;
		copy->exclusive[m] = memory_new(tree->count, sizeof **copy->exclusive);
		for (uint32_t i = 0; i < tree->count; i++)
			copy->exclusive[m][i] = tree->exclusive[m][order[i]];
	}
	free(place);
	path_tree_finish(copy);
	return copy;
}

struct path_tree *tree_by_time(const struct path_tree *tree, const struct metric_events *events,
	const struct path_tree *from, const struct path_shape *shape)
{
	uint32_t *first = number_nodes(tree, events, from, shape);
	uint32_t *order = sort_nodes(&(struct sorting){tree, first});
	struct path_tree *sorted = copy_in_order(tree, order);
	free(first);
	free(order);
	return sorted;
}
