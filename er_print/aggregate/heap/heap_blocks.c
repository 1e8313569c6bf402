/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A dense array of blocks with a map from their addresses to their places; places that are free are a list. */
#include "heap_blocks.h"
#include "storage.h"

#include <stdlib.h>

void heap_blocks_free(struct heap_blocks *blocks)
{
	number_map_free(&blocks->place_of);
	free(blocks->array);
	*blocks = (struct heap_blocks){0};
}

static uint32_t free_place(struct heap_blocks *blocks)
{
	uint32_t place = blocks->free;
	if (place) {
		blocks->free = (uint32_t)blocks->array[place - 1].size;
		return place - 1;
	}
	memory_reserve(blocks->array, blocks->count, blocks->capacity);
	return blocks->count++;
}

bool heap_blocks_add(struct heap_blocks *blocks, const struct heap_block *block, struct heap_block *old)
{
	uint32_t *place = number_map_place(&blocks->place_of, block->address);
	bool there = *place != NO_NUMBER;
	if (there)
		*old = blocks->array[*place];
	else
		*place = free_place(blocks);
	blocks->array[*place] = *block;
	return there;
}

bool heap_blocks_take(struct heap_blocks *blocks, uint64_t address, struct heap_block *block)
{
	uint32_t place = number_map_take(&blocks->place_of, address);
	if (place == NO_NUMBER)
		return false;
	*block = blocks->array[place];
	blocks->array[place] = (struct heap_block){.size = blocks->free};
	blocks->free = place + 1;
	return true;
}
