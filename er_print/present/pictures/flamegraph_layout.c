/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lays out a flame graph: children from their parent's left edge, in the order given, thin neighbours
 * bundled. */
#include "flamegraph_layout.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

struct pending {
	uint32_t node, depth;
	uint64_t start;
};
struct planner {
	struct flamegraph_layout *layout;
	const struct flamegraph_plan *plan;
	const struct path_tree *tree;
	const uint64_t *inclusive;
	uint64_t least; /* the smallest value that is drawn */
	uint64_t most;  /* of lanes: within which the frames of a bundle begin; else 0 */
	size_t frame_capacity;
	struct pending *stack; /* frames still to be drawn, the next one on top */
	size_t stack_count, stack_capacity;
	uint32_t top;       /* the row of the present lane's first frame */
	uint32_t *children; /* of the node in hand, sorted */
	size_t children_capacity;
};

static void add_frame(struct planner *planner, struct flamegraph_frame frame)
{
	struct flamegraph_layout *layout = planner->layout;
	memory_reserve(layout->frames, layout->count, planner->frame_capacity);
	layout->frames[layout->count++] = frame;
	if (frame.depth > layout->depth)
		layout->depth = frame.depth;
}

static int compare_children(const void *a, const void *b, void *context)
{
	const struct planner *planner = context;
	const struct path_node *nodes = planner->tree->nodes;
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	const struct flamegraph_plan *plan = planner->plan;
	int order = plan->heaviest_first ? COMPARE(planner->inclusive[right], planner->inclusive[left]) : 0;
	if (!order && plan->order)
		order = plan->order(plan->context, nodes[left].frame.function, nodes[right].frame.function);
	return order ?: COMPARE(left, right);
}

static uint32_t sorted_children(struct planner *planner, uint32_t node)
{
	const struct path_node *nodes = planner->tree->nodes;
	uint32_t count = 0;
	for (uint32_t child = nodes[node].first_child; child; child = nodes[child].next_sibling) {
		if (!planner->inclusive[child] || child == planner->plan->apart)
			continue;
		memory_reserve(planner->children, count, planner->children_capacity);
		planner->children[count++] = child;
	}
	if (count > 1)
		qsort_r(planner->children, count, sizeof *planner->children, compare_children, planner);
	return count;
}

struct bundle {
	uint32_t frames, first; /* the first of them among the children in hand */
	uint64_t start, value;  /* the value has the gaps between its frames */
};

/* The frame in the middle of a bundle, or the last before it. */
static uint32_t middle_of(const struct planner *planner, const struct bundle *bundle)
{
	uint64_t middle = bundle->start + bundle->value / 2;
	uint32_t low = bundle->first, high = bundle->first + bundle->frames;
	while (high - low > 1) {
		uint32_t at = low + (high - low) / 2;
		if (planner->plan->starts[planner->children[at]] <= middle)
			low = at;
		else
			high = at;
	}
	return planner->children[low];
}

static void end_bundle(struct planner *planner, struct bundle *bundle, uint32_t node, uint32_t depth)
{
	if (bundle->value >= planner->least) {
		add_frame(planner,
			(struct flamegraph_frame){node, depth, bundle->frames,
				planner->plan->starts ? middle_of(planner, bundle) : 0, bundle->start, bundle->value});
	} else {
		planner->layout->hidden_frames += bundle->frames;
		planner->layout->hidden_value += bundle->value;
	}
	*bundle = (struct bundle){0};
}

/* Whether a bundle, if there is one, ends before a frame that starts there: after a gap, or since it is wide enough. */
static bool ends_before(const struct planner *planner, const struct bundle *bundle, uint64_t start)
{
	return bundle->frames && (start - (bundle->start + bundle->value) >= planner->least ||
					 (planner->most && start - bundle->start >= planner->most));
}

static void wait_for(struct planner *planner, struct pending pending)
{
	memory_reserve(planner->stack, planner->stack_count, planner->stack_capacity);
	planner->stack[planner->stack_count++] = pending;
}

/* Draws the bundles among the children at once and puts the others on the stack, the leftmost on top. */
static void plan_children(struct planner *planner, uint32_t node, uint32_t depth, uint64_t start)
{
	uint32_t count = sorted_children(planner, node);
	size_t base = planner->stack_count;
	struct bundle bundle = {0};
	for (uint32_t i = 0; i < count; i++) {
		uint32_t child = planner->children[i];
		uint64_t value = planner->inclusive[child];
		if (planner->plan->starts)
			start = planner->plan->starts[child];
		if (ends_before(planner, &bundle, start))
			end_bundle(planner, &bundle, node, depth);
		if (value < planner->least) {
			if (!bundle.frames++) {
				bundle.start = start;
				bundle.first = i;
			}
			bundle.value = start + value - bundle.start;
		} else {
			if (bundle.frames)
				end_bundle(planner, &bundle, node, depth);
			wait_for(planner, (struct pending){child, depth, start});
		}
		start += value;
	}
	if (bundle.frames)
		end_bundle(planner, &bundle, node, depth);
	for (size_t low = base, high = planner->stack_count; low + 1 < high; low++, high--) {
		struct pending swap = planner->stack[low];
		planner->stack[low] = planner->stack[high - 1];
		planner->stack[high - 1] = swap;
	}
}

static void leave_out(struct planner *planner, uint32_t node)
{
	planner->layout->hidden_frames += planner->inclusive[node] > 0;
	planner->layout->hidden_value += planner->inclusive[node];
}

/* Counts the frames on top of the highest that there are to be. */
static void leave_out_children(struct planner *planner, uint32_t node)
{
	const struct path_node *nodes = planner->tree->nodes;
	for (uint32_t child = nodes[node].first_child; child; child = nodes[child].next_sibling)
		if (child != planner->plan->apart)
			leave_out(planner, child);
}

static void draw_waiting(struct planner *planner)
{
	const struct flamegraph_layout *layout = planner->layout;
	const uint32_t deepest = planner->plan->depth;
	while (planner->stack_count) {
		struct pending next = planner->stack[--planner->stack_count];
		uint64_t value = next.node == planner->plan->root ? layout->whole : planner->inclusive[next.node];
		add_frame(planner, (struct flamegraph_frame){next.node, next.depth, 0, 0, next.start, value});
		if (deepest && next.depth == deepest + planner->top)
			leave_out_children(planner, next.node);
		else
			plan_children(planner, next.node, next.depth + 1, next.start);
	}
}

/* Each lane below the one before it and an empty row. */
static void draw_lanes(struct planner *planner)
{
	uint32_t count = sorted_children(planner, 0), *lanes = planner->children;
	planner->children = 0;
	planner->children_capacity = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (planner->inclusive[lanes[i]] < planner->least) {
			leave_out(planner, lanes[i]);
			continue;
		}
		planner->top = planner->layout->count ? planner->layout->depth + 2 : 0;
		wait_for(planner, (struct pending){lanes[i], planner->top, planner->plan->starts[lanes[i]]});
		draw_waiting(planner);
	}
	free(lanes);
}

/* <Total>, and to the right of it what stands apart. */
static void begin(struct planner *planner)
{
	const struct flamegraph_layout *layout = planner->layout;
	const uint32_t apart = planner->plan->apart;
	if (apart && layout->total - layout->whole >= planner->least)
		wait_for(planner, (struct pending){apart, 0, layout->whole});
	else if (apart)
		leave_out(planner, apart);
	if (layout->whole)
		wait_for(planner, (struct pending){planner->plan->root, 0, 0});
}

static void lay_out(struct planner *planner)
{
	struct flamegraph_layout *layout = planner->layout;
	layout->count = layout->depth = layout->hidden_frames = 0;
	layout->hidden_value = 0;
	planner->least = (uint64_t)((double)layout->total * layout->least_share) + 1;
	if (planner->plan->starts) {
		planner->most = (uint64_t)((double)layout->total * planner->plan->most_share);
		if (planner->most < planner->least)
			planner->most = planner->least;
		draw_lanes(planner);
		return;
	}
	begin(planner);
	draw_waiting(planner);
}

void flamegraph_lay_out(struct flamegraph_layout *layout, const struct flamegraph_plan *plan)
{
	*layout = (struct flamegraph_layout){.least_share = plan->least_share};
	struct planner planner = {
		.layout = layout, .plan = plan, .tree = plan->tree, .inclusive = plan->tree->inclusive[plan->metric]};
	if (!planner.inclusive || !planner.inclusive[plan->root])
		return;
	layout->total = plan->starts ? plan->width : planner.inclusive[plan->root];
	layout->whole = layout->total - (plan->apart ? planner.inclusive[plan->apart] : 0);
	layout->base = plan->base ? plan->base : layout->whole > plan->total ? layout->whole : plan->total;
	if (layout->total < plan->total)
		layout->total = plan->total;
	for (lay_out(&planner); plan->frames && layout->count > plan->frames; lay_out(&planner))
		layout->least_share = layout->least_share > 0 ? layout->least_share * 1.2 : 1e-6;
	free(planner.stack);
	free(planner.children);
}

void flamegraph_layout_free(struct flamegraph_layout *layout)
{
	free(layout->frames);
	*layout = (struct flamegraph_layout){0};
}
