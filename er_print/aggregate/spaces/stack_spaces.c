/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the common frame of two stacks, the way in it, and what returns and begins below it. Ways are found once for each two
   places of a function, and all once for each two stacks. */
#include "stack_spaces.h"
#include "space_paths.h"
#include "storage.h"
#include <stdlib.h>
#include <string.h>

void stack_ways_free(struct stack_ways *ways)
{
	code_places_free(&ways->places);
	number_map_free(&ways->way_of);
	number_map_free(&ways->between_of);
	free(ways->ways);
	free(ways->betweens);
	free(ways->parts);
}

static void add_parts(struct stack_ways *ways, struct way *way, const struct flow_graph *graph, struct flow_place from,
	struct flow_place to)
{
	struct space_ways found;
	space_ways_find(&found, graph, from, to, ways->rules.exact);
	way->whole = found.length;
	way->stationary = found.stationary;
	way->count = found.count;
	for (unsigned i = 0; i < found.count; i++) {
		uint32_t space = space_number(ways->table, &(struct space_key){SPACE_CODE, graph->function, SPACE_RAN,
								   found.pairs[i], found.pair_count[i]});
		way->part[i] = (struct stack_part){space, ways->table->spaces[space].length};
	}
	space_ways_free(&found);
}

/* The block and instruction of a place of the graph's function. False: they are not known. */
static bool find_place(
	const struct stack_ways *ways, const struct flow_graph *graph, uint32_t place, struct flow_place *found)
{
	found->block = flow_graph_block(graph, ways->places.all[place].offset, &found->instruction);
	return found->block != NO_BLOCK;
}

/* The way between two places of a function; `from` NO_NUMBER: from its begin, `to` NO_NUMBER: until it returns. */
static struct way way_between(struct stack_ways *ways, uint32_t from, uint32_t to)
{
	uint32_t *number = number_map_place(&ways->way_of, number_pair(from, to));
	if (*number != NO_NUMBER)
		return ways->ways[*number];
	*number = ways->way_count;
	struct way made = {0};
	uint32_t function = ways->places.all[from == NO_NUMBER ? to : from].function;
	const struct flow_graph *graph = code_graph_of(&ways->places, function);
	struct flow_place begin = {0, 0}, end = {NO_BLOCK, 0};
	if (graph && (from == NO_NUMBER || find_place(ways, graph, from, &begin)) &&
		(to == NO_NUMBER || find_place(ways, graph, to, &end)))
		add_parts(ways, &made, graph, begin, end);
	ways->ways = memory_room(ways->ways, ways->way_count, sizeof made);
	ways->ways[ways->way_count] = made;
	return ways->ways[ways->way_count++];
}

static uint32_t stationary_space(struct stack_ways *ways, uint32_t place, uint32_t state)
{
	struct space_key key = {SPACE_STATIONARY, FUNCTION_TOTAL, state, 0, 0};
	struct space_pair pair;
	if (place != NO_NUMBER) {
		const struct code_place *code = &ways->places.all[place];
		const struct flow_graph *graph = code_graph_of(&ways->places, code->function);
		struct flow_place at;
		key.function = code->function;
		key.count = 1;
		key.pairs = &pair;
		pair = (struct space_pair){
			(uint32_t)code->offset, (uint32_t)code->offset + 1, code->offset, code->offset + 1};
		if (graph && find_place(ways, graph, place, &at))
			pair = (struct space_pair){at.instruction, at.instruction + 1,
				flow_graph_offset(graph, at.block, at.instruction),
				flow_graph_offset(graph, at.block, at.instruction + 1)};
	}
	return space_number(ways->table, &key);
}

/* The call of libc, where that is known: which of libc's instructions wait says nothing more than the state. */
static uint32_t place_of_wait(struct stack_ways *ways, uint32_t stack)
{
	const struct stack *stacks = ways->places.data->stacks;
	uint32_t leaf = code_place_of(&ways->places, stack), place = leaf;
	while (place != NO_NUMBER && ways->places.all[place].in_libc) {
		stack = stacks[stack].parent;
		place = code_place_of(&ways->places, stack);
	}
	return place == NO_NUMBER ? leaf : place;
}

uint32_t stack_space_off_cpu(struct stack_ways *ways, uint32_t stack, uint32_t state, bool waits)
{
	uint32_t place = waits ? place_of_wait(ways, stack) : code_place_of(&ways->places, stack);
	return stationary_space(ways, place, state);
}

/* Two stacks, and their common frame: the nodes at which it is in each. */
struct meeting {
	uint32_t from, to;      /* the stacks */
	uint32_t above;         /* the last node that both have; 0: none */
	uint32_t first, second; /* of the common frame */
	struct way way;
};

static void find_last_common(const struct stack *stacks, struct meeting *meeting)
{
	uint32_t a = meeting->from, b = meeting->to;
	meeting->first = meeting->second = 0;
	while (a != b) {
		if (a > b) {
			meeting->first = a;
			a = stacks[a].parent;
		} else {
			meeting->second = b;
			b = stacks[b].parent;
		}
	}
	meeting->above = a;
}

/* Whether there is a way between the two nodes: in one function. */
static bool find_way(struct stack_ways *ways, struct meeting *meeting, uint32_t first, uint32_t second)
{
	uint32_t a = code_place_of(&ways->places, first), b = code_place_of(&ways->places, second);
	if (a == NO_NUMBER || b == NO_NUMBER || ways->places.all[a].function != ways->places.all[b].function)
		return false;
	meeting->first = first;
	meeting->second = second;
	meeting->way = way_between(ways, a, b);
	return meeting->way.count;
}

/* False: no frame has a way. */
static bool find_common_frame(struct stack_ways *ways, struct meeting *meeting)
{
	const struct stack *stacks = ways->places.data->stacks;
	find_last_common(stacks, meeting);
	if (meeting->first && meeting->second && find_way(ways, meeting, meeting->first, meeting->second))
		return true;
	for (uint32_t node = meeting->above; node; node = stacks[node].parent)
		if (find_way(ways, meeting, node, node))
			return true;
	/* Stacks that were cut have no frame in common that is known. */
	bool cut = !meeting->above || stacks[meeting->above].flags & STACK_ROOT;
	return cut && find_way(ways, meeting, meeting->from, meeting->to);
}

static void add_part(struct stack_ways *ways, struct stack_spaces *made, struct stack_part part)
{
	ways->parts = memory_room(ways->parts, ways->part_count, sizeof part);
	ways->parts[ways->part_count++] = part;
	made->count++;
	made->length += part.length;
}

static void add_way(struct stack_ways *ways, struct stack_spaces *made, const struct way *way)
{
	for (unsigned i = 0; i < way->count; i++)
		add_part(ways, made, way->part[i]);
	made->whole += way->whole;
}

/* The functions that the first stack has below the common frame run to their ends. */
static void add_returning(struct stack_ways *ways, struct stack_spaces *made, const struct meeting *meeting)
{
	const struct stack *stacks = ways->places.data->stacks;
	unsigned count = 0;
	for (uint32_t node = meeting->from; node != meeting->first && count < CALLS_MAX; node = stacks[node].parent) {
		uint32_t place = code_place_of(&ways->places, node);
		struct way way = place == NO_NUMBER ? (struct way){0} : way_between(ways, place, NO_NUMBER);
		add_way(ways, made, &way);
		count++;
	}
}

/* The begins of the functions that the second stack has below it. */
static void add_beginning(struct stack_ways *ways, struct stack_spaces *made, const struct meeting *meeting)
{
	const struct stack *stacks = ways->places.data->stacks;
	uint32_t nodes[CALLS_MAX], count = 0;
	for (uint32_t node = meeting->to; node != meeting->second && count < CALLS_MAX; node = stacks[node].parent)
		nodes[count++] = node;
	while (count) {
		uint32_t place = code_place_of(&ways->places, nodes[--count]);
		struct way way = place == NO_NUMBER ? (struct way){0} : way_between(ways, NO_NUMBER, place);
		add_way(ways, made, &way);
	}
}

static uint32_t depth_of(const struct stack *stacks, uint32_t node)
{
	uint32_t depth = 0;
	for (; node; node = stacks[node].parent)
		depth++;
	return depth;
}

/* Whether both stacks are at one instruction, with the same callers, and no way leads from it to itself. */
static bool stays(struct stack_ways *ways, const struct meeting *meeting)
{
	const struct stack *stacks = ways->places.data->stacks;
	struct meeting same = *meeting;
	return stacks[meeting->from].parent == stacks[meeting->to].parent &&
	       !find_way(ways, &same, meeting->from, meeting->to) && same.way.stationary;
}

static void fill(struct stack_ways *ways, struct stack_spaces *made, struct meeting *meeting)
{
	if (find_common_frame(ways, meeting)) {
		add_returning(ways, made, meeting);
		made->own = made->count;
		add_way(ways, made, &meeting->way);
		made->own_count = made->count - made->own;
		add_beginning(ways, made, meeting);
	} else {
		uint32_t space =
			stays(ways, meeting)
				? stationary_space(ways, code_place_of(&ways->places, meeting->from), SPACE_RAN)
				: space_number(ways->table,
					  &(struct space_key){SPACE_UNRESOLVED, made->function, SPACE_RAN, 0, 0});
		add_part(ways, made, (struct stack_part){space, 0});
		made->own_count = 1;
		meeting->first = meeting->from;
	}
	made->depth = depth_of(ways->places.data->stacks, meeting->first);
}

const struct stack_spaces *stack_spaces_between(struct stack_ways *ways, uint32_t from, uint32_t to)
{
	uint32_t *number = number_map_place(&ways->between_of, number_pair(from, to));
	if (*number != NO_NUMBER)
		return &ways->betweens[*number];
	*number = ways->between_count;
	uint32_t place = code_place_of(&ways->places, from);
	struct stack_spaces made = {.first = ways->part_count,
		.function = place == NO_NUMBER ? FUNCTION_TOTAL : ways->places.all[place].function};
	fill(ways, &made, &(struct meeting){.from = from, .to = to});
	ways->betweens = memory_room(ways->betweens, ways->between_count, sizeof made);
	ways->betweens[ways->between_count] = made;
	return &ways->betweens[ways->between_count++];
}
