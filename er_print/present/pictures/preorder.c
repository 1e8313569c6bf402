/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts nodes into preorder. */
#include "preorder.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

#define NO_LAST UINT32_MAX

struct ordering {
	const struct path_tree *tree;
	const struct picture_function *functions;
	uint32_t last;
};

static int by_parent_and_name(const void *left, const void *right, void *context)
{
	const struct ordering *ordering = context;
	uint32_t first = *(const uint32_t *)left, second = *(const uint32_t *)right;
	const struct path_node *a = &ordering->tree->nodes[first], *b = &ordering->tree->nodes[second];
	int order = COMPARE(a->parent, b->parent) ?: COMPARE(first == ordering->last, second == ordering->last);
	if (!order && ordering->functions)
		order = COMPARE(
			ordering->functions[a->frame.function].rank, ordering->functions[b->frame.function].rank);
	return order ?: COMPARE(first, second);
}

/* Nodes but the first by their parents; first[node], first[node + 1]: where those of a parent begin and end. */
static uint32_t *children_of(const struct ordering *ordering, bool (*has)(const void *context, uint32_t node),
	const void *context, uint32_t *first)
{
	const struct path_tree *tree = ordering->tree;
	uint32_t *children = memory_new(tree->count, sizeof *children), count = 0;
	for (uint32_t node = 1; node < tree->count; node++)
		if (has(context, node)) {
			children[count++] = node;
			first[tree->nodes[node].parent + 1]++;
		}
	for (uint32_t node = 0; node < tree->count; node++)
		first[node + 1] += first[node];
	qsort_r(children, count, sizeof *children, by_parent_and_name, (void *)ordering);
	return children;
}

struct preorder preorder_of(const struct path_tree *tree, const struct picture_function *functions, uint32_t last,
	bool (*has)(const void *context, uint32_t node), const void *context)
{
	struct ordering ordering = {tree, functions, last ? last : NO_LAST};
	uint32_t *first = memory_new((size_t)tree->count + 1, sizeof *first);
	uint32_t *children = children_of(&ordering, has, context, first);
	uint32_t *waiting = memory_new(tree->count, sizeof *waiting), waiting_count = 1;
	uint32_t *depth_of = memory_new(tree->count, sizeof *depth_of);
	struct preorder preorder = {.nodes = memory_new(tree->count, sizeof *preorder.nodes),
		.depths = memory_new(tree->count, sizeof *preorder.depths)};
	while (waiting_count) {
		uint32_t node = waiting[--waiting_count];
		preorder.nodes[preorder.count] = node;
		preorder.depths[preorder.count++] = depth_of[node];
		for (uint32_t i = first[node + 1]; i > first[node]; i--) {
			depth_of[children[i - 1]] = children[i - 1] == ordering.last ? 0 : depth_of[node] + 1;
			waiting[waiting_count++] = children[i - 1];
		}
	}
	free(depth_of);
	free(waiting);
	free(children);
	free(first);
	return preorder;
}

void preorder_free(struct preorder *preorder)
{
	free(preorder->nodes);
	free(preorder->depths);
}
