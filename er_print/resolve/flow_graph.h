/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control-flow graph of a function: its instructions by number, its basic blocks, and which loops they are in. */
#ifndef FLOW_GRAPH_H
#define FLOW_GRAPH_H

#include "resolver.h"
#include <stdbool.h>
#include <stdint.h>

enum { NO_BLOCK = UINT32_MAX };

/* Instructions are numbered by address, from 0 for the first of the first block. */
struct flow_block {
	uint32_t first, end;                     /* its instructions, half-open */
	uint64_t start;                          /* offset in the function of the first, in bytes */
	uint32_t successor, successor_count;     /* in `successors`, each once */
	uint32_t predecessor, predecessor_count; /* in `predecessors` */
	bool has_unknown_targets;
	bool returns;       /* it may go back to the caller */
	bool is_pad;        /* exceptions lead to it */
	uint32_t dominator; /* the nearest block that every way from the entry has before it; NO_BLOCK: it has none */
	uint32_t loop;      /* the innermost it is in; NO_BLOCK: it is in none */
};
/* A natural loop: all back edges to one header, and what gets to them without it. */
struct flow_loop {
	uint32_t header;
	uint32_t outer; /* the loop around it; NO_BLOCK: none */
};
struct flow_graph {
	uint32_t function;
	struct flow_block *blocks;
	uint32_t block_count;
	uint32_t *successors, *predecessors; /* blocks */
	uint32_t edge_count;
	uint32_t *returning; /* blocks that may go back to the caller */
	uint32_t returning_count;
	struct flow_loop *loops; /* inner ones before those around them */
	uint32_t loop_count;
	const struct code_blocks *code; /* what they were made of */
	struct code_blocks decoded;     /* it, if it is the graph's own */
};

/* The graph of a function; 0: nothing is known of its blocks. The caller frees it. */
struct flow_graph *flow_graph_create(struct resolver *resolver, const struct data *data, uint32_t function);
void flow_graph_free(struct flow_graph *graph);

/* The block that holds this offset in the function, in bytes, and in *instruction the number of the instruction that does;
   NO_BLOCK: none does. */
uint32_t flow_graph_block(const struct flow_graph *graph, uint64_t offset, uint32_t *instruction);
/* The offset of an instruction, and of the end of one: where the next would begin. */
uint64_t flow_graph_offset(const struct flow_graph *graph, uint32_t block, uint32_t instruction);

/* Fills dominators and loops (flow_loops.c). */
void flow_graph_find_loops(struct flow_graph *graph);
/* Whether every way to block b has block a in it. */
bool flow_graph_dominates(const struct flow_graph *graph, uint32_t a, uint32_t b);
/* Whether a block is in a loop, or in one inside it. */
bool flow_graph_in_loop(const struct flow_graph *graph, uint32_t block, uint32_t loop);

#endif
