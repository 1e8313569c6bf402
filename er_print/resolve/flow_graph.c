/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes graphs of blocks that are known. */
#include "flow_graph.h"
#include "decoded_blocks.h"
#include "search.h"
#include "storage.h"
#include <stdlib.h>

/* The number of instructions of the function that begin below the offset. */
static uint32_t instructions_below(const struct code_blocks *code, uint64_t offset)
{
	if (!code->instruction_count)
		return (uint32_t)((offset + code->instruction_size - 1) / code->instruction_size);
	return (uint32_t)FIRST_WHERE(i, code->instruction_count, code->instructions[i] >= offset);
}

/* The block of the code that begins there, or NO_BLOCK. */
static uint32_t block_at(const struct code_blocks *code, uint64_t start)
{
	uint32_t low = (uint32_t)FIRST_WHERE(i, code->count, code->blocks[i].start >= start);
	return low < code->count && code->blocks[low].start == start ? low : NO_BLOCK;
}

static int by_number(const void *a, const void *b)
{
	return COMPARE(*(const uint32_t *)a, *(const uint32_t *)b);
}

static void add_successors(struct flow_graph *graph, const struct code_block *from, struct flow_block *block)
{
	const struct code_blocks *code = graph->code;
	uint32_t *list = graph->successors + graph->edge_count, found = 0, count = 0;
	for (uint32_t i = 0; i < from->count; i++) {
		uint32_t to = block_at(code, code->successors[from->first + i]);
		if (to == NO_BLOCK)
			block->has_unknown_targets = true;
		else
			list[found++] = to;
	}
	if (found)
		qsort(list, found, sizeof *list, by_number);
	for (uint32_t i = 0; i < found; i++)
		if (!count || list[i] != list[count - 1])
			list[count++] = list[i];
	block->successor = graph->edge_count;
	block->successor_count = count;
	graph->edge_count += count;
}

static void add_predecessors(struct flow_graph *graph)
{
	graph->predecessors = memory_new(graph->edge_count, sizeof *graph->predecessors);
	for (uint32_t e = 0; e < graph->edge_count; e++)
		graph->blocks[graph->successors[e]].predecessor_count++;
	uint32_t at = 0;
	for (uint32_t b = 0; b < graph->block_count; b++) {
		graph->blocks[b].predecessor = at;
		at += graph->blocks[b].predecessor_count;
		graph->blocks[b].predecessor_count = 0;
	}
	for (uint32_t b = 0; b < graph->block_count; b++)
		for (uint32_t i = 0; i < graph->blocks[b].successor_count; i++) {
			struct flow_block *to = &graph->blocks[graph->successors[graph->blocks[b].successor + i]];
			graph->predecessors[to->predecessor + to->predecessor_count++] = b;
		}
}

/* Blocks that somebody said, or else those of the code, which are made in `decoded`; 0: neither is there. */
static const struct code_blocks *blocks_of(
	struct resolver *resolver, const struct data *data, uint32_t function, struct code_blocks *decoded)
{
	const struct function *row = resolver_function(resolver, function);
	if (row->artificial)
		return 0;
	bool is_dynamic = data->objects[row->object].type == OBJECT_DYNAMIC;
	const struct dynamic_function *dynamic = is_dynamic ? data_dynamic_function(data, row->object, row->start) : 0;
	if (dynamic && dynamic->blocks)
		return dynamic->blocks;
	return decoded_blocks_make(resolver, row, decoded) ? decoded : 0;
}

struct flow_graph *flow_graph_create(struct resolver *resolver, const struct data *data, uint32_t function)
{
	struct flow_graph *graph = memory_new(1, sizeof *graph);
	const struct code_blocks *code = blocks_of(resolver, data, function, &graph->decoded);
	if (!code) {
		free(graph);
		return 0;
	}
	graph->function = function;
	graph->code = code;
	graph->block_count = code->count;
	graph->blocks = memory_new(code->count, sizeof *graph->blocks);
	graph->successors = memory_new(code->successor_count, sizeof *graph->successors);
	graph->returning = memory_new(code->count, sizeof *graph->returning);
	for (uint32_t b = 0; b < code->count; b++) {
		const struct code_block *from = &code->blocks[b];
		struct flow_block *block = &graph->blocks[b];
		*block = (struct flow_block){.first = instructions_below(code, from->start),
			.end = instructions_below(code, from->end),
			.start = from->start,
			.has_unknown_targets = from->has_unknown_targets,
			.returns = from->returns,
			.is_pad = from->is_pad};
		add_successors(graph, from, block);
		if (block->returns)
			graph->returning[graph->returning_count++] = b;
	}
	add_predecessors(graph);
	flow_graph_find_loops(graph);
	return graph;
}

void flow_graph_free(struct flow_graph *graph)
{
	if (!graph)
		return;
	code_blocks_free(&graph->decoded);
	free(graph->blocks);
	free(graph->successors);
	free(graph->predecessors);
	free(graph->returning);
	free(graph->loops);
	free(graph);
}

uint32_t flow_graph_block(const struct flow_graph *graph, uint64_t offset, uint32_t *instruction)
{
	const struct code_blocks *code = graph->code;
	uint32_t low = (uint32_t)FIRST_WHERE(i, code->count, code->blocks[i].start > offset);
	if (!low || offset >= code->blocks[low - 1].end)
		return NO_BLOCK;
	uint32_t below = instructions_below(code, offset + 1);
	*instruction = below > graph->blocks[low - 1].first ? below - 1 : below;
	return *instruction < graph->blocks[low - 1].end ? low - 1 : NO_BLOCK;
}

uint64_t flow_graph_offset(const struct flow_graph *graph, uint32_t block, uint32_t instruction)
{
	const struct code_blocks *code = graph->code;
	if (instruction >= graph->blocks[block].end)
		return code->blocks[block].end;
	return code->instruction_count ? code->instructions[instruction]
				       : (uint64_t)instruction * code->instruction_size;
}
