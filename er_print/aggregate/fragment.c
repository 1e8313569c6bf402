/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One walk over the merged tree: a node where the run ends has its inclusive value, without that of the nearest such nodes
   below it. Each such node adds its own, and takes it from the nearest one above it. */
#include "fragment.h"
#include "storage.h"

#include <stdlib.h>

struct walk {
	const struct path_tree *tree;
	const uint32_t *functions;
	uint32_t count;
	uint32_t *path;                    /* [depth] nodes */
	uint32_t *nearest;                 /* [depth] depth + 1 of the nearest end of a run at or above it; 0: none */
	uint64_t *callers, *callees, *own; /* [function * metrics + metric]; [metric] */
	bool *is_caller, *is_callee;       /* [function] */
};

static uint32_t function_at(const struct walk *walk, uint32_t depth)
{
	return walk->tree->nodes[walk->path[depth]].frame.function;
}

static bool run_ends(const struct walk *walk, uint32_t depth)
{
	if (depth < walk->count)
		return false;
	for (uint32_t i = 0; i < walk->count; i++)
		if (function_at(walk, depth - walk->count + 1 + i) != walk->functions[i])
			return false;
	return true;
}

static void add_node(const struct walk *walk, uint64_t *sums, uint32_t function, uint32_t node, bool subtract)
{
	unsigned metrics = walk->tree->metrics->count;
	for (unsigned m = 0; m < metrics; m++)
		if (walk->tree->inclusive[m])
			sums[(size_t)function * metrics + m] +=
				subtract ? -walk->tree->inclusive[m][node] : walk->tree->inclusive[m][node];
}

static void enter(void *context, uint32_t node, uint32_t depth)
{
	struct walk *walk = context;
	walk->path[depth] = node;
	uint32_t above = depth ? walk->nearest[depth - 1] : 0;
	bool ends = run_ends(walk, depth);
	walk->nearest[depth] = ends ? depth + 1 : above;
	/* nearest[] holds depths and 1: equal to this depth means that the run ends at the node just above. */
	if (above == depth && above && !ends) {
		add_node(walk, walk->callees, function_at(walk, depth), node, false);
		walk->is_callee[function_at(walk, depth)] = true;
	}
	if (!ends)
		return;
	uint32_t caller = function_at(walk, depth - walk->count);
	add_node(walk, walk->callers, caller, node, false);
	walk->is_caller[caller] = true;
	for (unsigned m = 0; m < walk->tree->metrics->count; m++)
		if (walk->tree->exclusive[m])
			walk->own[m] += walk->tree->exclusive[m][node];
	if (!above)
		return;
	add_node(walk, walk->callers, function_at(walk, above - 1 - walk->count), node, true);
	if (above < depth)
		add_node(walk, walk->callees, function_at(walk, above), node, true);
}

static struct attributed *gather(
	const bool *is, uint64_t *sums, uint32_t function_count, unsigned metrics, uint32_t centre, uint32_t *count)
{
	*count = 0;
	for (uint32_t f = 0; f < function_count; f++)
		*count += is[f];
	struct attributed *edges = memory_new(*count, sizeof *edges);
	uint32_t at = 0;
	for (uint32_t f = 0; f < function_count; f++)
		if (is[f])
			edges[at++] = (struct attributed){centre, f, sums + (size_t)f * metrics};
	return edges;
}

struct fragment *fragment_compute(
	const struct path_tree *merged, const uint32_t *functions, uint32_t count, uint32_t function_count)
{
	unsigned metrics = merged->metrics->count;
	struct fragment *fragment = memory_new(1, sizeof *fragment);
	fragment->sums = memory_new((size_t)function_count * 2 * metrics, sizeof *fragment->sums);
	fragment->own = memory_new(metrics, sizeof *fragment->own);
	fragment->whole = memory_new(metrics, sizeof *fragment->whole);
	struct walk walk = {.tree = merged,
		.functions = functions,
		.count = count,
		.path = memory_new(merged->depth, sizeof *walk.path),
		.nearest = memory_new(merged->depth, sizeof *walk.nearest),
		.callers = fragment->sums,
		.callees = fragment->sums + (size_t)function_count * metrics,
		.own = fragment->own,
		.is_caller = memory_new(function_count, sizeof *walk.is_caller),
		.is_callee = memory_new(function_count, sizeof *walk.is_callee)};
	path_tree_walk(merged, enter, 0, &walk);
	uint32_t centre = functions[count - 1];
	fragment->callers =
		gather(walk.is_caller, walk.callers, function_count, metrics, centre, &fragment->caller_count);
	fragment->callees =
		gather(walk.is_callee, walk.callees, function_count, metrics, centre, &fragment->callee_count);
	for (unsigned m = 0; m < metrics; m++)
		for (uint32_t c = 0; c < fragment->caller_count; c++)
			fragment->whole[m] += fragment->callers[c].sums[m];
	free(walk.path);
	free(walk.nearest);
	free(walk.is_caller);
	free(walk.is_callee);
	return fragment;
}

void fragment_free(struct fragment *fragment)
{
	if (!fragment)
		return;
	free(fragment->callers);
	free(fragment->callees);
	free(fragment->own);
	free(fragment->whole);
	free(fragment->sums);
	free(fragment);
}
