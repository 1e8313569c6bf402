/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the tree of call paths from the stacks that have a weight. */
#include "path_tree.h"
#include "storage.h"

#include "layout.h"

#include <stdlib.h>

struct builder {
	struct path_tree *tree;
	size_t capacity;
	uint32_t *node_of;                        /* stack -> its leaf-most node */
	uint32_t artificial[FUNCTION_FIRST_REAL]; /* the nodes under <Total> of artificial functions; 0: not
						     made */
};

static uint32_t add_node(struct builder *builder, uint32_t parent, struct frame frame, bool heuristic)
{
	struct path_tree *tree = builder->tree;
	memory_reserve(tree->nodes, tree->count, builder->capacity);
	tree->nodes[tree->count] = (struct path_node){.parent = parent, .frame = frame, .heuristic = heuristic};
	return tree->count++;
}

static uint32_t artificial_node(struct builder *builder, uint32_t function)
{
	uint32_t *node = &builder->artificial[function];
	if (!*node)
		*node = add_node(builder, 0,
			(struct frame){.function = function, .own = function, .line = function, .address = NO_ADDRESS},
			false);
	return *node;
}

static uint32_t root_node(struct builder *builder, const struct stack *stack)
{
	uint32_t function = resolver_root_function(stack->address);
	return function == FUNCTION_TOTAL ? 0 : artificial_node(builder, function);
}

/* Which stacks have a weight in some metric, or callees that have. */
static bool *stacks_needed(const struct data *data, const struct stack_sums *sums, const struct stack_view *view)
{
	bool *needed = memory_new(data->stack_count, sizeof *needed);
	for (unsigned m = 0; m < sums->metrics->count; m++)
		for (uint32_t s = 0; sums->of[m] && s < sums->stack_count; s++)
			if (sums->of[m][s])
				needed[s] = true;
	/* A caller has a smaller number than the stacks that it is on, so one pass from the end reaches all callers. */
	for (uint32_t s = data->stack_count; s-- > 1;) {
		uint32_t shown = view_mode_stack(view->mode, data, s);
		if (needed[s] && shown != s)
			needed[shown] = true;
		else if (needed[s] && data->stacks[s].parent)
			needed[data->stacks[s].parent] = true;
	}
	return needed;
}

static void add_stacks(struct builder *builder, struct resolver *resolver, const struct data *data, const bool *needed,
	const struct stack_view *view)
{
	uint32_t *inside = memory_new(data->stack_count, sizeof *inside);
	for (uint32_t s = 1; s < data->stack_count; s++) {
		const struct stack *stack = &data->stacks[s];
		if (!needed[s])
			continue;
		uint32_t shown = view_mode_stack(view->mode, data, s);
		if (shown != s) {
			builder->node_of[s] = builder->node_of[shown];
			continue;
		}
		if (stack->flags & STACK_ROOT) {
			builder->node_of[s] = root_node(builder, stack);
			inside[s] = NO_OBJECT;
			continue;
		}
		struct frame frames[FRAMES_MAX];
		inside[s] = stack->parent ? inside[stack->parent] : NO_OBJECT;
		unsigned count =
			stack_view_rewrite(resolver, view, frames, resolver_frames(resolver, s, frames), &inside[s]);
		uint32_t node = builder->node_of[stack->parent];
		while (count)
			node = add_node(builder, node, frames[--count], stack->flags & STACK_HEURISTIC);
		builder->node_of[s] = node;
	}
	free(inside);
}

/* A path that ends at no frame (no stack at all, or a stack that is nothing but its root) belongs to <no stack>. */
static void place_sums(struct builder *builder, const struct stack_sums *sums, const bool *needed)
{
	for (uint32_t s = 0; s < sums->stack_count; s++)
		if (needed[s] && builder->node_of[s] == 0)
			for (unsigned m = 0; m < sums->metrics->count; m++)
				if (sums->of[m] && sums->of[m][s])
					builder->node_of[s] = artificial_node(builder, FUNCTION_NO_STACK);
	struct path_tree *tree = builder->tree;
	for (unsigned m = 0; m < sums->metrics->count; m++) {
		if (!sums->of[m])
			continue;
		tree->exclusive[m] = memory_new(tree->count, sizeof **tree->exclusive);
		for (uint32_t s = 0; s < sums->stack_count; s++)
			tree->exclusive[m][builder->node_of[s]] += sums->of[m][s];
	}
}

struct path_tree *path_tree_build(struct resolver *resolver, const struct data *data, const struct stack_sums *sums,
	const struct stack_view *view)
{
	struct builder builder = {.tree = path_tree_create(sums->metrics)};
	builder.node_of = memory_new(data->stack_count, sizeof *builder.node_of);
	add_node(&builder, 0, (struct frame){.function = FUNCTION_TOTAL, .address = NO_ADDRESS}, false);
	bool *needed = stacks_needed(data, sums, view);
	add_stacks(&builder, resolver, data, needed, view);
	place_sums(&builder, sums, needed);
	free(needed);
	builder.tree->node_of = builder.node_of;
	builder.tree->stack_count = data->stack_count;
	path_tree_finish(builder.tree);
	return builder.tree;
}
