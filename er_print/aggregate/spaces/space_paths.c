/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what can run between two places by reachability, and never by following each way: there may be too many. */
#include "space_paths.h"
#include "search.h"
#include "storage.h"
#include <stdlib.h>
#include <string.h>

/* Blocks are nodes; beside them the rest of the first place's block is the source, and what is before the second place in its block
   is the sink. */
struct search {
	const struct flow_graph *graph;
	struct flow_place from, to;
	uint32_t source, sink; /* nodes */
	bool *is_open;         /* by loop: its edges back are taken */
	bool all_open;
	bool pads_open;        /* edges of exceptions are taken */
	bool *reached, *leads; /* by node: from the source, to the sink */
	uint32_t *path;        /* room for each node */
	bool *taken;           /* by node: it is in the first sub-space */
	struct space_pair *pairs[2];
	uint32_t pair_count[2];
	uint32_t length;
	bool exact;
};

static uint32_t block_of(const struct search *search, uint32_t node)
{
	return node == search->source ? search->from.block : node == search->sink ? search->to.block : node;
}

/* The loop of which an edge leads back to the head; NO_BLOCK: it leads on. */
static uint32_t loop_of_edge(const struct flow_graph *graph, uint32_t block, uint32_t to)
{
	for (uint32_t loop = graph->blocks[to].loop; loop != NO_BLOCK; loop = graph->loops[loop].outer)
		if (graph->loops[loop].header == to && flow_graph_in_loop(graph, block, loop))
			return loop;
	return NO_BLOCK;
}

/* The node to which an edge leads; NO_BLOCK: it is not taken. */
static uint32_t node_to(const struct search *search, uint32_t node, uint32_t to)
{
	if (search->graph->blocks[to].is_pad && !search->pads_open)
		return NO_BLOCK;
	uint32_t loop = search->all_open ? NO_BLOCK : loop_of_edge(search->graph, block_of(search, node), to);
	if (loop != NO_BLOCK && !search->is_open[loop])
		return NO_BLOCK;
	return to == search->to.block ? search->sink : to == search->from.block ? NO_BLOCK : to;
}

static bool goes_to_caller(const struct search *search)
{
	return search->to.block == NO_BLOCK;
}

/* The i-th successor of a node, likewise. */
static uint32_t next_of(const struct search *search, uint32_t node, uint32_t i)
{
	if (node == search->sink)
		return NO_BLOCK;
	const struct flow_block *block = &search->graph->blocks[block_of(search, node)];
	return i == block->successor_count ? search->sink
					   : node_to(search, node, search->graph->successors[block->successor + i]);
}

static uint32_t count_of(const struct search *search, uint32_t node)
{
	if (node == search->sink)
		return 0;
	const struct flow_block *block = &search->graph->blocks[block_of(search, node)];
	return block->successor_count + (goes_to_caller(search) && block->returns);
}

/* The i-th of the nodes that lead to a node; NO_BLOCK: it does not. The source's block stands for the source. */
static uint32_t before(const struct search *search, uint32_t node, uint32_t i)
{
	if (node == search->sink && goes_to_caller(search)) {
		uint32_t returning = search->graph->returning[i];
		return returning == search->from.block ? search->source : returning;
	}
	uint32_t block = block_of(search, node);
	uint32_t from = search->graph->predecessors[search->graph->blocks[block].predecessor + i];
	if (from == search->from.block)
		from = search->source;
	else if (from == search->to.block)
		return NO_BLOCK;
	return node_to(search, from, block) == node ? from : NO_BLOCK;
}

static uint32_t before_count(const struct search *search, uint32_t node)
{
	return node == search->source ? 0
	       : node == search->sink && goes_to_caller(search)
		       ? search->graph->returning_count
		       : search->graph->blocks[block_of(search, node)].predecessor_count;
}

static void mark(const struct search *search, bool *marks, uint32_t start, bool forwards)
{
	uint32_t depth = 0;
	for (uint32_t node = 0; node <= search->sink; node++)
		marks[node] = node == start;
	search->path[depth++] = start;
	while (depth) {
		uint32_t node = search->path[--depth];
		uint32_t count = forwards ? count_of(search, node) : before_count(search, node);
		for (uint32_t i = 0; i < count; i++) {
			uint32_t other = forwards ? next_of(search, node, i) : before(search, node, i);
			if (other == NO_BLOCK || marks[other])
				continue;
			marks[other] = true;
			search->path[depth++] = other;
		}
	}
}

static bool find(const struct search *search)
{
	mark(search, search->reached, search->source, true);
	if (!search->reached[search->sink])
		return false;
	mark(search, search->leads, search->sink, false);
	return true;
}

static bool find_with_loops(struct search *search)
{
	const struct flow_graph *graph = search->graph;
	uint32_t innermost = graph->blocks[search->from.block].loop;
	if (find(search))
		return true;
	for (uint32_t loop = innermost; loop != NO_BLOCK; loop = graph->loops[loop].outer) {
		for (uint32_t l = innermost; l != loop; l = graph->loops[l].outer)
			search->is_open[l] = false;
		search->is_open[loop] = true;
		if (find(search))
			return true;
		for (uint32_t l = innermost; l != loop; l = graph->loops[l].outer)
			search->is_open[l] = true;
		if (find(search))
			return true;
	}
	search->all_open = true;
	return find(search);
}

static bool find_with_pads(struct search *search)
{
	if (find_with_loops(search))
		return true;
	search->pads_open = true;
	search->all_open = false;
	memset(search->is_open, 0, search->graph->loop_count * sizeof *search->is_open);
	return find_with_loops(search);
}

/* The only node that a way goes on to from here, or comes from; NO_BLOCK: there are several. */
static uint32_t only(const struct search *search, uint32_t node, bool forwards)
{
	uint32_t count = forwards ? count_of(search, node) : before_count(search, node), found = NO_BLOCK;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t other = forwards ? next_of(search, node, i) : before(search, node, i);
		if (other == NO_BLOCK || !search->reached[other] || !search->leads[other] || other == found)
			continue;
		if (found != NO_BLOCK)
			return NO_BLOCK;
		found = other;
	}
	return found;
}

static void add_pair(struct search *search, unsigned part, uint32_t node)
{
	if (block_of(search, node) == NO_BLOCK)
		return;
	const struct flow_block *block = &search->graph->blocks[block_of(search, node)];
	struct space_pair pair = {.first = block->first, .end = block->end};
	struct space_pair exact = {.first = node == search->source ? search->from.instruction : block->first,
		.end = node == search->sink ? search->to.instruction : block->end};
	if (exact.first >= exact.end)
		return;
	search->length += exact.end - exact.first;
	if (node == search->sink && !search->exact && search->to.block == search->from.block)
		return; /* the source is the same block */
	pair = search->exact ? exact : pair;
	pair.from = flow_graph_offset(search->graph, block_of(search, node), pair.first);
	pair.to = flow_graph_offset(search->graph, block_of(search, node), pair.end);
	search->pairs[part] = memory_room(search->pairs[part], search->pair_count[part], sizeof pair);
	search->pairs[part][search->pair_count[part]++] = pair;
}

static void collect_parts(struct search *search)
{
	uint32_t node = search->source;
	for (; node != NO_BLOCK; node = only(search, node, true)) {
		search->taken[node] = true;
		add_pair(search, 0, node);
		if (node == search->sink)
			return;
	}
	for (node = search->sink; node != NO_BLOCK && !search->taken[node]; node = only(search, node, false))
		add_pair(search, 1, node);
}

static int by_first(const void *a, const void *b)
{
	return COMPARE(((const struct space_pair *)a)->first, ((const struct space_pair *)b)->first);
}

static void search_begin(struct search *search, const struct flow_graph *graph)
{
	uint32_t nodes = graph->block_count + 2;
	search->graph = graph;
	search->source = graph->block_count;
	search->sink = graph->block_count + 1;
	search->is_open = memory_new(graph->loop_count + 1, sizeof *search->is_open);
	search->reached = memory_new(nodes, sizeof *search->reached);
	search->leads = memory_new(nodes, sizeof *search->leads);
	search->taken = memory_new(nodes, sizeof *search->taken);
	search->path = memory_new(nodes, sizeof *search->path);
}

static void search_end(struct search *search)
{
	free(search->is_open);
	free(search->reached);
	free(search->leads);
	free(search->taken);
	free(search->path);
}

static void take_parts(struct space_ways *ways, struct search *search)
{
	for (unsigned part = 0; part < 2; part++) {
		if (!search->pair_count[part])
			continue;
		qsort(search->pairs[part], search->pair_count[part], sizeof *search->pairs[part], by_first);
		ways->pairs[ways->count] = search->pairs[part];
		ways->pair_count[ways->count++] = search->pair_count[part];
	}
	ways->length = search->length;
}

/* In one block, forwards. */
static void take_piece(struct space_ways *ways, struct search *search)
{
	const struct flow_block *block = &search->graph->blocks[search->from.block];
	struct space_pair *pair = memory_new(1, sizeof *pair);
	*pair = search->exact ? (struct space_pair){.first = search->from.instruction, .end = search->to.instruction}
			      : (struct space_pair){.first = block->first, .end = block->end};
	pair->from = flow_graph_offset(search->graph, search->from.block, pair->first);
	pair->to = flow_graph_offset(search->graph, search->from.block, pair->end);
	ways->pairs[0] = pair;
	ways->pair_count[0] = 1;
	ways->count = 1;
	ways->length = search->to.instruction - search->from.instruction;
}

void space_ways_find(struct space_ways *ways, const struct flow_graph *graph, struct flow_place from,
	struct flow_place to, bool exact)
{
	struct search search = {.from = from, .to = to, .exact = exact};
	*ways = (struct space_ways){0};
	search_begin(&search, graph);
	if (from.block == to.block && from.instruction < to.instruction) {
		take_piece(ways, &search);
	} else if (find_with_pads(&search)) {
		collect_parts(&search);
		take_parts(ways, &search);
	} else {
		ways->stationary = to.block != NO_BLOCK && from.instruction == to.instruction;
	}
	search_end(&search);
}

void space_ways_free(struct space_ways *ways)
{
	free(ways->pairs[0]);
	free(ways->pairs[1]);
}
