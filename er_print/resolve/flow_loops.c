/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dominators, by Cooper, Harvey and Kennedy's iteration ("A Simple, Fast Dominance Algorithm"), and natural loops. All blocks that
   nothing leads to are entries, and the first of those that only their own cycle leads to. */
#include "flow_graph.h"
#include "storage.h"
#include <stdlib.h>

/* One more than the blocks: the root, which leads to all entries. */
struct walk {
	struct flow_graph *graph;
	uint32_t *order;  /* blocks, each after all that it leads to but by edges back; the root last */
	uint32_t *number; /* by block: its place in `order`; NO_BLOCK: not met */
	uint32_t *next;   /* by block: the successor that is looked at next */
	uint32_t *path;
	bool *is_entry;
	uint32_t count;
};

static void walk_from(struct walk *walk, uint32_t entry)
{
	const struct flow_graph *graph = walk->graph;
	uint32_t depth = 0;
	enum { MET = NO_BLOCK - 1 };
	if (walk->number[entry] != NO_BLOCK)
		return;
	walk->is_entry[entry] = true;
	walk->number[entry] = MET;
	walk->path[depth++] = entry;
	while (depth) {
		uint32_t block = walk->path[depth - 1];
		const struct flow_block *row = &graph->blocks[block];
		if (walk->next[block] == row->successor_count) {
			walk->number[block] = walk->count;
			walk->order[walk->count++] = block;
			depth--;
			continue;
		}
		uint32_t to = graph->successors[row->successor + walk->next[block]++];
		if (walk->number[to] == NO_BLOCK) {
			walk->number[to] = MET;
			walk->path[depth++] = to;
		}
	}
}

static void walk_all(struct walk *walk)
{
	const struct flow_graph *graph = walk->graph;
	walk_from(walk, 0);
	for (uint32_t b = 0; b < graph->block_count; b++)
		if (!graph->blocks[b].predecessor_count)
			walk_from(walk, b);
	for (uint32_t b = 0; b < graph->block_count; b++)
		walk_from(walk, b);
	walk->number[graph->block_count] = walk->count;
	walk->order[walk->count++] = graph->block_count;
}

static uint32_t meet(const struct walk *walk, const uint32_t *dominator, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (walk->number[a] < walk->number[b])
			a = dominator[a];
		while (walk->number[b] < walk->number[a])
			b = dominator[b];
	}
	return a;
}

static bool improve(const struct walk *walk, uint32_t *dominator, uint32_t block)
{
	const struct flow_graph *graph = walk->graph;
	const struct flow_block *row = &graph->blocks[block];
	uint32_t found = walk->is_entry[block] ? graph->block_count : NO_BLOCK;
	for (uint32_t i = 0; i < row->predecessor_count; i++) {
		uint32_t from = graph->predecessors[row->predecessor + i];
		if (dominator[from] != NO_BLOCK)
			found = found == NO_BLOCK ? from : meet(walk, dominator, from, found);
	}
	bool better = dominator[block] != found;
	dominator[block] = found;
	return better;
}

static void find_dominators(const struct walk *walk)
{
	struct flow_graph *graph = walk->graph;
	uint32_t root = graph->block_count;
	uint32_t *dominator = memory_new(root + 1, sizeof *dominator);
	for (uint32_t b = 0; b < root; b++)
		dominator[b] = NO_BLOCK;
	dominator[root] = root;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = walk->count - 1; i-- > 0;)
			changed |= improve(walk, dominator, walk->order[i]);
	}
	for (uint32_t b = 0; b < root; b++)
		graph->blocks[b].dominator = dominator[b] == root ? NO_BLOCK : dominator[b];
	free(dominator);
}

bool flow_graph_dominates(const struct flow_graph *graph, uint32_t a, uint32_t b)
{
	while (b != NO_BLOCK && b != a)
		b = graph->blocks[b].dominator;
	return b == a;
}

bool flow_graph_in_loop(const struct flow_graph *graph, uint32_t block, uint32_t loop)
{
	uint32_t at = graph->blocks[block].loop;
	while (at != NO_BLOCK && at != loop)
		at = graph->loops[at].outer;
	return at == loop;
}

/* Takes what leads to the block, which is in the loop, into it; `path` has room for every edge. */
static void take_in(struct flow_graph *graph, uint32_t loop, uint32_t *path, uint32_t depth)
{
	while (depth) {
		uint32_t block = path[--depth], inner = graph->blocks[block].loop, next = block;
		if (inner == NO_BLOCK) {
			graph->blocks[block].loop = loop;
		} else {
			while (graph->loops[inner].outer != NO_BLOCK)
				inner = graph->loops[inner].outer;
			if (inner == loop)
				continue;
			graph->loops[inner].outer = loop;
			next = graph->loops[inner].header;
		}
		const struct flow_block *row = &graph->blocks[next];
		for (uint32_t i = 0; next != graph->loops[loop].header && i < row->predecessor_count; i++)
			path[depth++] = graph->predecessors[row->predecessor + i];
	}
}

/* Inner headers come before outer ones in the order of the walk. */
static void find_loops(const struct walk *walk)
{
	struct flow_graph *graph = walk->graph;
	uint32_t *path = memory_new(2 * graph->edge_count + 1, sizeof *path);
	for (uint32_t i = 0; i + 1 < walk->count; i++) {
		uint32_t header = walk->order[i], depth = 0;
		const struct flow_block *row = &graph->blocks[header];
		for (uint32_t p = 0; p < row->predecessor_count; p++) {
			uint32_t from = graph->predecessors[row->predecessor + p];
			if (flow_graph_dominates(graph, header, from))
				path[depth++] = from;
		}
		if (!depth)
			continue;
		graph->loops = memory_room(graph->loops, graph->loop_count, sizeof *graph->loops);
		graph->loops[graph->loop_count] = (struct flow_loop){header, NO_BLOCK};
		path[depth++] = header;
		take_in(graph, graph->loop_count++, path, depth);
	}
	free(path);
}

void flow_graph_find_loops(struct flow_graph *graph)
{
	uint32_t count = graph->block_count + 1;
	struct walk walk = {.graph = graph,
		.order = memory_new(count, sizeof *walk.order),
		.number = memory_new(count, sizeof *walk.number),
		.next = memory_new(count, sizeof *walk.next),
		.path = memory_new(count, sizeof *walk.path),
		.is_entry = memory_new(count, sizeof *walk.is_entry)};
	for (uint32_t b = 0; b < count; b++)
		walk.number[b] = NO_BLOCK;
	for (uint32_t b = 0; b < graph->block_count; b++)
		graph->blocks[b].loop = NO_BLOCK;
	if (graph->block_count) {
		walk_all(&walk);
		find_dominators(&walk);
		find_loops(&walk);
	}
	free(walk.order);
	free(walk.number);
	free(walk.next);
	free(walk.path);
	free(walk.is_entry);
}
