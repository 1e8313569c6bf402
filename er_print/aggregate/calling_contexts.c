/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each stack is resolved once, from the outermost caller that is not known yet. */
#include "calling_contexts.h"
#include "number_map.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

#define NOT_YET (UINT32_MAX - 1)

struct contexts_private {
	const struct data *data;
	struct resolver *resolver;
	uint32_t *of_stack;          /* by stack: its context, or NOT_YET */
	uint32_t stack_count;        /* of them */
	struct number_map functions; /* function -> region */
	struct number_map children;  /* (parent, region) -> node; of NO_CONTEXT: 0, of others their index and 1 */
	uint32_t *way;               /* stacks on the way to the root */
};

struct calling_contexts *calling_contexts_create(const struct data *data, struct resolver *resolver)
{
	struct calling_contexts *contexts = memory_new(1, sizeof *contexts);
	struct contexts_private *private = contexts->private = memory_new(1, sizeof *private);
	private->data = data;
	private->resolver = resolver;
	private->stack_count = data->stack_count;
	private->of_stack = memory_new(data->stack_count, sizeof *private->of_stack);
	for (uint32_t i = 0; i < data->stack_count; i++)
	private->of_stack[i] = NOT_YET;
	return contexts;
}

void calling_contexts_free(struct calling_contexts *contexts)
{
	number_map_free(&contexts->private->functions);
	number_map_free(&contexts->private->children);
	free(contexts->private->of_stack);
	free(contexts->private->way);
	free(contexts->private);
	free(contexts->nodes);
	free(contexts->regions);
	free(contexts);
}

static uint32_t add_region(struct calling_contexts *contexts, const struct context_region *region)
{
	contexts->regions = memory_room(contexts->regions, contexts->region_count, sizeof *contexts->regions);
	contexts->regions[contexts->region_count] = *region;
	return contexts->region_count++;
}

static uint32_t region_of_mpi(struct calling_contexts *contexts, const char *name, const char *class)
{
	for (uint32_t r = 0; r < contexts->region_count; r++)
		if (contexts->regions[r].mpi && !strcmp(contexts->regions[r].mpi, name))
			return r;
	/* All bindings of an MPI function (MPI_Send, PMPI_Send, mpi_send_) are one region: other tools group by it. */
	return add_region(contexts, &(struct context_region){FUNCTION_NO_STACK, name, class});
}

/* The number of an MPI function in an experiment, if the name is of one ("PMPI_Send", too). */
static const struct mpi_function_totals *find_mpi(const struct data *data, const char *name)
{
	name += *name == 'P';
	if (strncmp(name, "MPI_", 4) != 0)
		return 0;
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct experiment *file = data->experiments[e].file;
		for (unsigned f = 0; f < file->mpi_function_count; f++)
			if (!strcmp(file->mpi_functions[f].name, name))
				return &file->mpi_functions[f];
	}
	return 0;
}

static uint32_t region_of_function(struct calling_contexts *contexts, uint32_t function)
{
	struct contexts_private *private = contexts->private;
	uint32_t region = number_map_find(&private->functions, function);
	if (region != UINT32_MAX)
		return region;
	const struct mpi_function_totals *mpi =
		find_mpi(private->data, resolver_function(private->resolver, function)->short_name);
	if (mpi) {
		region = region_of_mpi(contexts, mpi->name, mpi->class);
		contexts->regions[region].function = function;
	} else {
		region = add_region(contexts, &(struct context_region){.function = function});
	}
	return *number_map_place(&private->functions, function) = region;
}

static uint32_t child(struct calling_contexts *contexts, uint32_t parent, uint32_t region)
{
	uint32_t *place = number_map_place(&contexts->private->children, number_pair(parent + 1, region));
	if (*place != NO_NUMBER)
		return *place;
	contexts->nodes = memory_room(contexts->nodes, contexts->node_count, sizeof *contexts->nodes);
	contexts->nodes[contexts->node_count] =
		(struct context_node){parent, region, parent == NO_CONTEXT ? 1 : contexts->nodes[parent].depth + 1};
	return *place = contexts->node_count++;
}

/* The context of a stack whose caller's is known. */
static uint32_t below(struct calling_contexts *contexts, uint32_t stack, uint32_t parent)
{
	struct contexts_private *private = contexts->private;
	const struct stack *own = &private->data->stacks[stack];
	struct frame frames[FRAMES_MAX];
	if (!stack)
		return child(contexts, NO_CONTEXT, region_of_function(contexts, FUNCTION_NO_STACK));
	if (own->flags & STACK_ROOT) {
		uint32_t function = resolver_root_function(own->address);
		return function == FUNCTION_TOTAL ? NO_CONTEXT
						  : child(contexts, NO_CONTEXT, region_of_function(contexts, function));
	}
	for (unsigned count = resolver_frames(private->resolver, stack, frames); count-- > 0;)
		if (!frames[count].run_time)
			parent = child(contexts, parent, region_of_function(contexts, frames[count].function));
	return parent;
}

uint32_t calling_context_of_stack(struct calling_contexts *contexts, uint32_t stack)
{
	struct contexts_private *private = contexts->private;
	uint32_t count = 0, at = stack, context = NO_CONTEXT;
	for (; private->of_stack[at] == NOT_YET; at = private->data->stacks[at].parent) {
		private->way = memory_room(private->way, count, sizeof *private->way);
		private->way[count++] = at;
		if (!at || private->data->stacks[at].flags & STACK_ROOT)
			break;
	}
	if (private->of_stack[at] != NOT_YET)
		context = private->of_stack[at];
	while (count-- > 0)
		context = private->of_stack[private->way[count]] = below(contexts, private->way[count], context);
	return context;
}

uint32_t calling_context_of_call(struct calling_contexts *contexts, uint32_t stack, const char *name, const char *class)
{
	uint32_t region = region_of_mpi(contexts, name, class), caller = NO_CONTEXT;
	if (stack && !(contexts->private->data->stacks[stack].flags & STACK_ROOT))
		caller = calling_context_of_stack(contexts, contexts->private->data->stacks[stack].parent);
	return child(contexts, caller, region);
}

uint32_t calling_context_common(const struct calling_contexts *contexts, uint32_t a, uint32_t b)
{
	const struct context_node *nodes = contexts->nodes;
	while (a != b && a != NO_CONTEXT && b != NO_CONTEXT) {
		if (nodes[a].depth >= nodes[b].depth)
			a = nodes[a].parent;
		else
			b = nodes[b].parent;
	}
	return a == b ? a : NO_CONTEXT;
}
