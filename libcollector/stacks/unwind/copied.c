/* SPDX-License-Identifier: Apache-2.0 */
/* The walk of a stack of which only a copy is left: nothing is remembered, for nothing can be verified later. */
#include "copied.h"
#include "context_tree.h"
#include "own_code.h"
#include "remembered.h"
#include "step.h"
#include <string.h>

/* The frames move when their room grows. */
static bool grow(struct walk *walk, struct remembered *room)
{
	ptrdiff_t known = walk->known - room->frames;
	if (!remembered_grow(room))
		return false;
	walk->known = room->frames + known;
	return true;
}

/* Walks into room->frames; *count: how many they are. */
static enum walk_end walk_out(struct walk *walk, struct remembered *room, uint32_t limit, uint32_t *count)
{
	uint64_t lookup = step_lookup(room->frames->pc), steps = 0;
	enum walk_end end;
	*count = 0;
	do {
		/* Another thread may write where a frame seems to be: then steps back would have no end. */
		if (*count == limit || steps++ == 2ull * limit || (*count == room->capacity && !grow(walk, room)))
			return WALK_LIMIT;
		++*count;
		walk->memory.missing = false;
		end = step_out(walk, &room->frames[*count - 1], &lookup);
		if (end != WALK_GOES_ON && end != WALK_START && !walk->memory.missing)
			end = step_rescue(walk, room->frames, end, count, &lookup);
	} while (end == WALK_GOES_ON);
	return end != WALK_START && walk->memory.missing ? WALK_LIMIT : end;
}

static uint32_t name(const struct frame *frames, uint32_t count, enum root_kind end, struct captured *captured)
{
	uint32_t node = context_root(end, capture_generation());
	while (node && count-- > 0) {
		uint64_t pc = frames[count].pc;
		if ((pc & CONTEXT_ADDRESS) - own_code_start < own_code_size)
			continue;
		node = context_child(node, pc);
		captured->heuristic |= (pc & CONTEXT_HEURISTIC) != 0;
		captured->depth++;
	}
	return node;
}

/* From room->frames[0] on. */
static struct captured walk_on(struct walk *walk, struct remembered *room, uint32_t limit)
{
	uint32_t count, most = walk->memory.copy->most;
	enum walk_end end = walk_out(walk, room, most && most < limit ? most : limit, &count);
	struct captured captured = {.end = end == WALK_START   ? ROOT_START
					   : end == WALK_LIMIT ? ROOT_TRUNCATED
							       : ROOT_FAILED};
	captured.later = walk->memory.later;
	captured.stack = name(room->frames, count, captured.end, &captured);
	return captured;
}

struct captured copied_walk(
	struct remembered *room, const struct stack_copy *copy, const uint64_t *registers, uint32_t limit)
{
	struct walk walk = {
		.memory = {.copy = copy}, .registers = registers, .known = room->frames, .holds_code = true};
	*room->frames = (struct frame){.pc = (registers[SAVED_PC] & CONTEXT_ADDRESS) | CONTEXT_EXACT,
		.sp = registers[SAVED_STACK_POINTER],
		.fp = registers[SAVED_FRAME_POINTER]};
	return walk_on(&walk, room, limit);
}

struct captured copied_walk_call(struct remembered *room, const struct stack_copy *copy, uint32_t limit)
{
	struct walk walk = {.memory = {.copy = copy}, .known = room->frames, .holds_code = true};
	uint64_t record[2];
	memcpy(record, copy->bytes, sizeof record);
	*room->frames =
		(struct frame){.pc = return_address_strip(record[1]), .sp = copy->low + sizeof record, .fp = record[0]};
	return walk_on(&walk, room, limit);
}
