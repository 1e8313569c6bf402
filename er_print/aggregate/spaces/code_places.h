/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where stacks are in the code: for each of their addresses the function, and the place in its control-flow graph. */
#ifndef CODE_PLACES_H
#define CODE_PLACES_H

#include "flow_graph.h"
#include "number_map.h"

struct code_place {
	uint32_t function; /* that really has the instruction, and is not inlined */
	uint64_t offset;   /* in it, in bytes */
	bool in_libc;      /* or in the dynamic linker */
};
struct code_places {
	struct data *data;
	struct resolver *resolver;
	struct number_map place_of; /* by address, and whether it is exact */
	struct code_place *all;
	uint32_t count;
	struct number_map graph_of; /* by function: its place in `graphs` */
	struct flow_graph **graphs;
	uint32_t graph_count;
};
/* Begins as {.data, .resolver}. */
void code_places_free(struct code_places *places);

/* The place of a stack's leaf; NO_NUMBER: it is in no function. */
uint32_t code_place_of(struct code_places *places, uint32_t stack);
/* The graph of a function; 0: none is known. It stays until the places are freed. */
const struct flow_graph *code_graph_of(struct code_places *places, uint32_t function);

#endif
