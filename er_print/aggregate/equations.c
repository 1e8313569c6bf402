/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the equations of attributed sums function by function, and the sums against a plain summation. */
#include "equations.h"
#include "storage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct check {
	struct equations result;
	struct resolver *resolver;
	const struct data *data;
	const struct stack_sums *stacks;
	const struct stack_view *view;
	uint32_t *path, path_capacity; /* functions of a stack, the leaf first */
	unsigned metric;
	uint32_t function_count;
	const uint64_t *exclusive, *inclusive; /* [function], of the metric */
	const struct key_sums *functions;
	const struct call_graph *graph;
};

static void expect(struct check *check, const char *equation, uint32_t function, uint64_t left, uint64_t right)
{
	check->result.checked++;
	/* Only the first violation is told: one fault in a tree violates the equations of all callers. */
	if (left == right || check->result.violated++)
		return;
	snprintf(check->result.first, sizeof check->result.first, "%s: %s of %.80s: %" PRIu64 " is not %" PRIu64,
		check->stacks->metrics->rows[check->metric].name, equation,
		resolver_function(check->resolver, function)->mangled, left, right);
}

static uint64_t edge_sum(
	const struct check *check, const struct attributed *edges, const uint32_t *from, uint32_t function)
{
	uint64_t sum = 0;
	for (uint32_t e = from[function]; e < from[function + 1]; e++)
		sum += edges[e].sums[check->metric];
	return sum;
}

static void check_function(struct check *check, uint32_t function)
{
	const struct call_graph *graph = check->graph;
	uint64_t own = check->exclusive[function], all = check->inclusive[function];
	if (function != FUNCTION_TOTAL)
		expect(check, "inclusive = attributed by callers", function, all,
			edge_sum(check, graph->callers, graph->callers_from, function));
	expect(check, "inclusive = exclusive + attributed to callees", function, all,
		own + edge_sum(check, graph->callees, graph->callees_from, function));
	if (check->functions->always_leaf[function])
		expect(check, "exclusive of a leaf = inclusive", function, own, all);
}

static void check_totals(struct check *check)
{
	uint64_t sum = 0;
	for (uint32_t f = 0; f < check->function_count; f++)
		sum += check->exclusive[f];
	expect(check, "sum of exclusive = total", FUNCTION_TOTAL, sum, check->stacks->total[check->metric]);
	expect(check, "inclusive = total", FUNCTION_TOTAL, check->inclusive[FUNCTION_TOTAL],
		check->stacks->total[check->metric]);
}

static void check_objects(struct check *check, const struct key_sums *objects)
{
	uint64_t *own = memory_new(objects->key_count, sizeof *own), *all = memory_new(objects->key_count, sizeof *all);
	uint32_t *some = memory_new(objects->key_count, sizeof *some);
	for (uint32_t f = 0; f < check->function_count; f++) {
		uint32_t object = resolver_function_object(check->resolver, f);
		if (object >= objects->key_count)
			continue;
		own[object] += check->exclusive[f];
		all[object] += check->inclusive[f];
		some[object] = f;
	}
	for (uint32_t o = 0; o < objects->key_count; o++) {
		expect(check, "exclusive of the load object = sum of its functions'", some[o],
			objects->exclusive[check->metric][o], own[o]);
		uint64_t inclusive = objects->inclusive[check->metric][o];
		expect(check, "inclusive of the load object at most its functions'", some[o],
			inclusive > all[o] ? inclusive : 0, 0);
	}
	free(own);
	free(all);
	free(some);
}

/* Writes the functions of a stack to check->path, the leaf first, as if every load object were shown. */
static uint32_t plain_path(struct check *check, uint32_t stack)
{
	uint32_t length = 0;
	stack = view_mode_stack(check->view->mode, check->data, stack);
	for (uint32_t s = stack; s; s = check->data->stacks[s].parent) {
		const struct stack *at = &check->data->stacks[s];
		struct frame frames[FRAMES_MAX];
		unsigned count = 1;
		if (at->flags & STACK_ROOT) {
			frames[0].function = resolver_root_function(at->address);
			if (frames[0].function == FUNCTION_TOTAL)
				continue;
		} else {
			count = view_mode_rewrite(
				check->view->mode, frames, resolver_frames(check->resolver, s, frames));
		}
		for (unsigned i = 0; i < count; i++) {
			memory_reserve(check->path, length, check->path_capacity);
			check->path[length++] = frames[i].function;
		}
	}
	return length;
}

/* The key that a function of the plain path is shown as: itself, its load object, or nothing (NO_KEY) inside of one. */
static uint32_t shown_function(struct check *check, uint32_t function, uint32_t caller)
{
	struct frame frame = {.function = function, .own = function};
	uint32_t object = resolver_function_object(check->resolver, function);
	enum object_expansion expansion = check->view->expansion ? check->view->expansion[object] : OBJECT_SHOWN;
	if (expansion != OBJECT_SHOWN && caller != NO_KEY &&
		resolver_function_object(check->resolver, caller) == object)
		return NO_KEY;
	if (expansion == OBJECT_HIDDEN)
		resolver_object_frame(check->resolver, object, &frame);
	return frame.function;
}

static void add_stack(
	struct check *check, uint32_t stack, uint64_t weight, uint64_t *own, uint64_t *all, uint32_t *stamp)
{
	/* A stamp of the stack's number tells whether a function was counted on this stack, and spares clearing an array for
	   each. */
	uint32_t leaf = NO_KEY, mark = stack + 1, length = plain_path(check, stack);
	all[FUNCTION_TOTAL] += weight;
	for (uint32_t i = 0; i < length; i++) {
		uint32_t function = shown_function(check, check->path[i], i + 1 < length ? check->path[i + 1] : NO_KEY);
		if (function == NO_KEY)
			continue;
		leaf = leaf == NO_KEY ? function : leaf;
		if (stamp[function] != mark)
			all[function] += weight;
		stamp[function] = mark;
	}
	if (leaf == NO_KEY) {
		leaf = FUNCTION_NO_STACK;
		all[leaf] += weight;
	}
	own[leaf] += weight;
}

static void check_plain_sums(struct check *check)
{
	uint64_t *own = memory_new(check->function_count, sizeof *own),
		 *all = memory_new(check->function_count, sizeof *all);
	uint32_t *stamp = memory_new(check->function_count, sizeof *stamp);
	for (uint32_t s = 0; s < check->stacks->stack_count; s++)
		if (check->stacks->of[check->metric][s])
			add_stack(check, s, check->stacks->of[check->metric][s], own, all, stamp);
	for (uint32_t f = 0; f < check->function_count; f++) {
		expect(check, "exclusive = sum of the stacks that it is the leaf of", f, check->exclusive[f], own[f]);
		expect(check, "inclusive = sum of the stacks that it is on", f, check->inclusive[f], all[f]);
	}
	free(own);
	free(all);
	free(stamp);
}

struct equations equations_check(struct resolver *resolver, const struct data *data, const struct stack_sums *sums,
	const struct stack_view *view)
{
	struct path_tree *tree = path_tree_build(resolver, data, sums, view);
	struct path_tree *merged = path_tree_merge(tree);
	struct check check = {.resolver = resolver, .data = data, .stacks = sums, .view = view};
	check.function_count = resolver_function_count(resolver);
	struct call_graph *graph = call_graph_compute(merged, check.function_count);
	struct key_sums *functions = key_sums_compute(merged, check.function_count, key_function, resolver);
	struct key_sums *objects = key_sums_compute(tree, data->object_count, key_object, resolver);
	check.graph = graph;
	check.functions = functions;
	for (check.metric = 0; check.metric < sums->metrics->count; check.metric++) {
		if (!sums->of[check.metric])
			continue;
		check.exclusive = functions->exclusive[check.metric];
		check.inclusive = functions->inclusive[check.metric];
		check_totals(&check);
		for (uint32_t f = 0; f < check.function_count; f++)
			check_function(&check, f);
		check_objects(&check, objects);
		check_plain_sums(&check);
	}
	key_sums_free(functions);
	key_sums_free(objects);
	call_graph_free(graph);
	path_tree_free(merged);
	path_tree_free(tree);
	free(check.path);
	return check.result;
}
