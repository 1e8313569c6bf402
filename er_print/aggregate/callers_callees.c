/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One walk over the merged tree gives the attributed sums of all functions.

   A node n of function f stands for the paths through it whose leaf-most f is n: W(n) = I(n) - sum of I(m)
   over the nearest f-nodes m below n. W(n) goes to the caller of n; the part of W(n) that passes a child c
   goes to c's function as callee, again without what the nearest f-nodes below c have. So each node adds its
   own I once, and takes it from the nearest node of its function above it, if there is one. Sums are unsigned
   and may pass below 0 on the way, never at the end. */
#include "callers_callees.h"
#include "number_map.h"
#include "storage.h"

#include <stdlib.h>

struct edges {
	struct number_map places; /* (centre, other) -> edge */
	struct edge {
		uint32_t centre, other;
	} * edges;
	uint64_t *sums; /* [edge * metrics + metric] */
	size_t capacity;
	uint32_t count;
};

struct walk {
	const struct path_tree *tree;
	struct edges callers, callees;
	uint32_t *path;     /* [depth] nodes of the present path */
	uint32_t *nearest;  /* [function] depth + 1 of its leaf-most node on the present path; 0: none */
	uint32_t *previous; /* [depth] what nearest[] was before the node there */
};

static uint64_t *edge_sums(struct edges *edges, unsigned metrics, uint32_t centre, uint32_t other)
{
	uint32_t *place = number_map_place(&edges->places, number_pair(centre, other));
	if (*place == NO_NUMBER) {
		if (edges->count == edges->capacity) {
			edges->capacity = edges->capacity ? edges->capacity * 2 : 64;
			edges->edges = memory_resize(edges->edges, edges->capacity, sizeof *edges->edges);
			edges->sums = memory_resize(edges->sums, edges->capacity * metrics, sizeof *edges->sums);
		}
		edges->edges[edges->count] = (struct edge){centre, other};
		for (unsigned m = 0; m < metrics; m++)
			edges->sums[(size_t)edges->count * metrics + m] = 0;
		*place = edges->count++;
	}
	return &edges->sums[(size_t)*place * metrics];
}

static void add_node(const struct path_tree *tree, uint64_t *sums, uint32_t node, bool subtract)
{
	for (unsigned m = 0; m < tree->metrics->count; m++)
		if (tree->inclusive[m])
			sums[m] += subtract ? -tree->inclusive[m][node] : tree->inclusive[m][node];
}

static void enter(void *context, uint32_t node, uint32_t depth)
{
	struct walk *walk = context;
	const struct path_tree *tree = walk->tree;
	unsigned metrics = tree->metrics->count;
	uint32_t function = tree->nodes[node].frame.function;
	walk->path[depth] = node;
	/* Kept by depth, so that leave() can put it back: a search upwards for the nearest node would be quadratic in deep
	   recursion. */
	walk->previous[depth] = walk->nearest[function];
	walk->nearest[function] = depth + 1;
	if (!node)
		return;
	uint32_t caller = tree->nodes[tree->nodes[node].parent].frame.function;
	add_node(tree, edge_sums(&walk->callers, metrics, function, caller), node, false);
	/* A function that calls itself is not its own callee: that time is already within the outer call. */
	if (function != caller)
		add_node(tree, edge_sums(&walk->callees, metrics, caller, function), node, false);
	/* 0 means none; 1 would be <Total>, which has no caller. */
	if (walk->previous[depth] < 2)
		return;
	uint32_t above =
		walk->previous[depth] - 1; /* depth of the nearest node of the same function; never <Total>'s */
	uint32_t upper_caller = tree->nodes[walk->path[above - 1]].frame.function;
	add_node(tree, edge_sums(&walk->callers, metrics, function, upper_caller), node, true);
	if (above + 1 < depth) {
		uint32_t callee = tree->nodes[walk->path[above + 1]].frame.function;
		add_node(tree, edge_sums(&walk->callees, metrics, function, callee), node, true);
	}
}

static void leave(void *context, uint32_t node, uint32_t depth)
{
	struct walk *walk = context;
	walk->nearest[walk->tree->nodes[node].frame.function] = walk->previous[depth];
}

/* Orders the edges by centre: a counting sort that keeps the order of first meeting. */
static struct attributed *sort_edges(
	const struct edges *edges, unsigned metrics, uint32_t function_count, uint64_t *sums, uint32_t *from)
{
	struct attributed *sorted = memory_new(edges->count, sizeof *sorted);
	for (uint32_t e = 0; e < edges->count; e++)
		from[edges->edges[e].centre + 1]++;
	for (uint32_t f = 0; f < function_count; f++)
		from[f + 1] += from[f];
	uint32_t *next = memory_new(function_count, sizeof *next);
	for (uint32_t e = 0; e < edges->count; e++) {
		uint32_t centre = edges->edges[e].centre;
		uint32_t at = from[centre] + next[centre]++;
		uint64_t *place = sums + (size_t)at * metrics;
		for (unsigned m = 0; m < metrics; m++)
			place[m] = edges->sums[(size_t)e * metrics + m];
		sorted[at] = (struct attributed){centre, edges->edges[e].other, place};
	}
	free(next);
	return sorted;
}

static void edges_free(struct edges *edges)
{
	number_map_free(&edges->places);
	free(edges->edges);
	free(edges->sums);
}

struct call_graph *call_graph_compute(const struct path_tree *merged, uint32_t function_count)
{
	struct walk walk = {
		.tree = merged,
		.path = memory_new(merged->depth, sizeof *walk.path),
		.nearest = memory_new(function_count, sizeof *walk.nearest),
		.previous = memory_new(merged->depth, sizeof *walk.previous),
	};
	path_tree_walk(merged, enter, leave, &walk);
	unsigned metrics = merged->metrics->count;
	struct call_graph *graph = memory_new(1, sizeof *graph);
	graph->metrics = merged->metrics;
	graph->function_count = function_count;
	graph->sums = memory_new(((size_t)walk.callers.count + walk.callees.count) * metrics, sizeof *graph->sums);
	graph->callers_from = memory_new((size_t)function_count + 1, sizeof *graph->callers_from);
	graph->callees_from = memory_new((size_t)function_count + 1, sizeof *graph->callees_from);
	graph->callers = sort_edges(&walk.callers, metrics, function_count, graph->sums, graph->callers_from);
	graph->callees = sort_edges(&walk.callees, metrics, function_count,
		graph->sums + (size_t)walk.callers.count * metrics, graph->callees_from);
	edges_free(&walk.callers);
	edges_free(&walk.callees);
	free(walk.path);
	free(walk.nearest);
	free(walk.previous);
	return graph;
}

void call_graph_free(struct call_graph *graph)
{
	if (!graph)
		return;
	free(graph->callers);
	free(graph->callees);
	free(graph->callers_from);
	free(graph->callees_from);
	free(graph->sums);
	free(graph);
}
