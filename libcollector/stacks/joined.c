/* SPDX-License-Identifier: Apache-2.0 */
/* Moving the frames of a captured stack that are inside of the join's base. */
#include "joined.h"
#include "context_tree.h"
#include <string.h>

/* So many frames are moved in one go: a handler may have little stack. */
#define CHUNK 64u

static struct stack_join join_of(const struct joined *joined)
{
	struct stack_join join;
	__atomic_load(&joined->join, &join, __ATOMIC_RELAXED);
	return join;
}

static void put(struct joined *joined, struct stack_join join)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	__atomic_store(&joined->join, &join, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static struct joined_set *set_of(struct joined *joined, struct stack_join join)
{
	return &joined->sets[(join.node ^ join.base) % JOINED_SETS];
}

void joined_set(struct joined *joined, struct stack_join join, uint64_t time)
{
	struct joined_set *set = set_of(joined, join);
	joined->since = time;
	if (join.node && (join.node != set->join.node || join.base != set->join.base)) {
		put(joined, (struct stack_join){0}); /* a handler learns nothing meanwhile */
		memset(set->known, 0, sizeof set->known);
		set->join = join;
	}
	put(joined, join);
}

/* How many frames a stack has inside of the base; 0: it is not inside. A caller has a smaller id than what it called. */
static uint32_t frames_inside(uint32_t stack, uint32_t base)
{
	uint32_t count = 0;
	while (stack > base) {
		context_frame(stack, &stack);
		count++;
	}
	return stack == base ? count : 0;
}

static uint32_t moved(uint32_t stack, struct stack_join join)
{
	uint32_t left = frames_inside(stack, join.base), node = left ? join.node : stack;
	while (left && node) { /* from the outermost on */
		uint64_t frames[CHUNK];
		uint32_t count = left < CHUNK ? left : CHUNK, at = stack;
		for (uint32_t i = left; i > count; i--)
			context_frame(at, &at); /* these have their turn later */
		for (uint32_t i = 0; i < count; i++)
			frames[i] = context_frame(at, &at);
		for (uint32_t i = count; i-- > 0 && node;)
			node = context_child(node, frames[i]);
		left -= count;
	}
	return node;
}

uint32_t joined_stack_at(const struct joined *joined, uint32_t stack, uint64_t time)
{
	struct stack_join join = join_of(joined);
	return join.node && time >= joined->since ? moved(stack, join) : stack;
}

uint32_t joined_stack(struct joined *joined, uint32_t stack)
{
	struct stack_join join = join_of(joined);
	if (!join.node || stack <= join.base)
		return stack;
	uint64_t *way = &set_of(joined, join)->known[stack % JOINED_WAYS],
		 known = __atomic_load_n(way, __ATOMIC_RELAXED);
	if ((uint32_t)known == stack)
		return (uint32_t)(known >> 32);
	uint32_t node = moved(stack, join);
	if (node)
		__atomic_store_n(way, (uint64_t)node << 32 | stack, __ATOMIC_RELAXED);
	return node;
}
