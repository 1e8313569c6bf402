/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One tree of calling contexts by function, from stacks one by one: for formats that name each event's context. An MPI function is
   one region, whatever the library calls its code. */
#ifndef CALLING_CONTEXTS_H
#define CALLING_CONTEXTS_H

#include "resolver.h"

#define NO_CONTEXT UINT32_MAX /* above all others */

struct context_region {
	uint32_t function;       /* of the resolver; of an MPI function that no stack has: FUNCTION_NO_STACK */
	const char *mpi, *class; /* name and class of the MPI function; 0: it is none */
};
struct context_node {
	uint32_t parent;        /* less than its child, or NO_CONTEXT */
	uint32_t region, depth; /* depth: from 1 */
};
struct calling_contexts {
	struct context_node *nodes;
	struct context_region *regions;
	uint32_t node_count, region_count;
	struct contexts_private *private;
};
struct calling_contexts *calling_contexts_create(const struct data *data, struct resolver *resolver);
void calling_contexts_free(struct calling_contexts *contexts);

/* The context of a stack; NO_CONTEXT: of one that has no function. Adds what is new. */
uint32_t calling_context_of_stack(struct calling_contexts *contexts, uint32_t stack);
/* For a call to an MPI function, which the stack's leaf is. */
uint32_t calling_context_of_call(
	struct calling_contexts *contexts, uint32_t stack, const char *name, const char *class);
/* The innermost context that both are in. */
uint32_t calling_context_common(const struct calling_contexts *contexts, uint32_t a, uint32_t b);

#endif
