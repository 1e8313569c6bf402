/* SPDX-License-Identifier: Apache-2.0 */
/* Moving the frames of a captured stack that are inside of the join's base. */
#include "joined.h"
#include "context_tree.h"
#include <string.h>

/* So many frames are moved in one go: a handler may have little stack. */
#define CHUNK 64u
#define MARKS 64u

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

void joined_end(struct joined *joined, uint64_t time)
{
	joined_set(joined, (struct stack_join){0}, time);
	memset(joined->lasts, 0, sizeof joined->lasts);
}

void joined_set(struct joined *joined, struct stack_join join, uint64_t time)
{
	struct joined_set *set = set_of(joined, join);
	joined->since = time;
	if (join.node)
		__atomic_store_n(&joined->lasts[join.base % JOINED_BASES], (uint64_t)join.node << 32 | join.base,
			__ATOMIC_RELAXED);
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

/* Steps from a stack outwards. */
static uint32_t outwards(uint32_t stack, uint32_t steps)
{
	while (steps--)
		context_frame(stack, &stack);
	return stack;
}

/* The frames at `at` and outwards on the node. */
static uint32_t copy_frames(uint32_t at, uint32_t count, uint32_t node)
{
	uint64_t frames[CHUNK];
	for (uint32_t i = 0; i < count; i++)
		frames[i] = context_frame(at, &at);
	for (uint32_t i = count; i-- > 0 && node;)
		node = context_child(node, frames[i]);
	return node;
}

/* The outermost frames are moved first, and are known by their parents alone: marks on the way there make that way short. */
static uint32_t moved(uint32_t stack, struct stack_join join)
{
	uint32_t marks[MARKS], left = frames_inside(stack, join.base), stride = left / MARKS + 1;
	uint32_t node = left ? join.node : stack;
	if (left > CHUNK)
		for (uint32_t i = 0, at = stack; i * stride < left; i++, at = outwards(at, stride))
			marks[i] = at;
	while (left && node) {
		uint32_t count = left < CHUNK ? left : CHUNK;
		left -= count;
		uint32_t at = left ? outwards(marks[left / stride], left % stride) : stack;
		node = copy_frames(at, count, node);
	}
	return node;
}

/* Where the innermost base of the stack stood last; 0, 0: none is known. */
static struct stack_join last_of(const struct joined *joined, uint32_t stack)
{
	for (uint32_t at = stack; at;) {
		context_frame(at, &at);
		uint64_t last = __atomic_load_n(&joined->lasts[at % JOINED_BASES], __ATOMIC_RELAXED);
		if (at && (uint32_t)last == at)
			return (struct stack_join){at, (uint32_t)(last >> 32)};
	}
	return (struct stack_join){0};
}

uint32_t joined_stack_at(const struct joined *joined, uint32_t stack, uint64_t time, bool *guessed)
{
	struct stack_join join = join_of(joined);
	bool now = time >= joined->since;
	if (!now)
		join = last_of(joined, stack);
	*guessed = !now && join.node;
	return join.node ? moved(stack, join) : stack;
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
