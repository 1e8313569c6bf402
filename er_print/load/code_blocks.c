/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies and compares the blocks of a function. */
#include "code_blocks.h"
#include "id_table.h"
#include <stdlib.h>
#include <string.h>

void code_blocks_free(struct code_blocks *blocks)
{
	free(blocks->blocks);
	free(blocks->successors);
	free(blocks->instructions);
}

static void *copy(struct arena *arena, const void *array, uint32_t count, size_t size)
{
	void *made = arena_new(arena, (count + 1) * size);
	if (count)
		memcpy(made, array, count * size);
	return made;
}

const struct code_blocks *code_blocks_copy(const struct code_blocks *blocks, struct arena *arena)
{
	struct code_blocks *made = copy(arena, blocks, 1, sizeof *made);
	made->blocks = copy(arena, blocks->blocks, blocks->count, sizeof *blocks->blocks);
	made->successors = copy(arena, blocks->successors, blocks->successor_count, sizeof *blocks->successors);
	if (blocks->instruction_count)
		made->instructions =
			copy(arena, blocks->instructions, blocks->instruction_count, sizeof *blocks->instructions);
	return made;
}

uint64_t code_blocks_hash(const struct code_blocks *blocks)
{
	uint64_t hash = hash_pair(blocks->count, blocks->instruction_size);
	for (uint32_t i = 0; i < blocks->count; i++) {
		const struct code_block *block = &blocks->blocks[i];
		hash = hash_pair(hash_pair(hash, block->start),
			block->end << 2 | (uint64_t)block->has_unknown_targets << 1 | block->returns);
		for (uint32_t s = 0; s < block->count; s++)
			hash = hash_pair(hash, blocks->successors[block->first + s]);
	}
	for (uint32_t i = 0; i < blocks->instruction_count; i++)
		hash = hash_pair(hash, blocks->instructions[i]);
	return hash;
}
