/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open addressing with linear probing, at most half full; what is taken out leaves no mark, those behind it move up. */
#include "heap_blocks.h"
#include "storage.h"

#include <stdlib.h>

static inline uint64_t home_of(const struct heap_blocks *blocks, uint64_t address)
{
	uint64_t hash = (address >> 4) * 0x9E3779B97F4A7C15ull;
	return (hash ^ hash >> 32) & (blocks->capacity - 1);
}

static inline struct heap_block *probe(const struct heap_blocks *blocks, uint64_t address)
{
	uint64_t place = home_of(blocks, address);
	while (blocks->places[place].address && blocks->places[place].address != address)
		place = (place + 1) & (blocks->capacity - 1);
	return &blocks->places[place];
}

static void enlarge(struct heap_blocks *blocks)
{
	struct heap_blocks larger = {
		.capacity = blocks->capacity ? blocks->capacity * 2 : 1024, .count = blocks->count};
	larger.places = memory_new(larger.capacity, sizeof *larger.places);
	for (uint64_t i = 0; i < blocks->capacity; i++)
		if (blocks->places[i].address)
			*probe(&larger, blocks->places[i].address) = blocks->places[i];
	free(blocks->places);
	*blocks = larger;
}

void heap_blocks_free(struct heap_blocks *blocks)
{
	free(blocks->places);
	*blocks = (struct heap_blocks){0};
}

bool heap_blocks_add(struct heap_blocks *blocks, const struct heap_block *block, struct heap_block *old)
{
	if (blocks->count >= blocks->capacity / 2)
		enlarge(blocks);
	struct heap_block *place = probe(blocks, block->address);
	bool there = place->address != 0;
	if (there)
		*old = *place;
	blocks->count += !there;
	*place = *block;
	return there;
}

bool heap_blocks_take(struct heap_blocks *blocks, uint64_t address, struct heap_block *block)
{
	struct heap_block *place = blocks->count ? probe(blocks, address) : 0;
	if (!place || !place->address)
		return false;
	*block = *place;
	blocks->count--;
	uint64_t mask = blocks->capacity - 1, hole = (uint64_t)(place - blocks->places);
	for (uint64_t next = (hole + 1) & mask; blocks->places[next].address; next = (next + 1) & mask) {
		uint64_t home = home_of(blocks, blocks->places[next].address);
		if (((next - home) & mask) < ((next - hole) & mask))
			continue;
		blocks->places[hole] = blocks->places[next];
		hole = next;
	}
	blocks->places[hole].address = 0;
	return true;
}
