/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks that a process has at a moment, by address. */
#ifndef HEAP_BLOCKS_H
#define HEAP_BLOCKS_H

#include "number_map.h"
#include <stdbool.h>
#include <stdint.h>

struct heap_block {
	uint64_t address; /* 0: the place in the array is free */
	uint64_t size;
	uint32_t stack;
	uint32_t path : 31, counts : 1; /* the stack, whatever key stands in its place; whether it counts */
};
struct heap_blocks {
	struct number_map place_of; /* in the array, by address */
	struct heap_block *array;
	uint32_t count, capacity; /* of the array, places that are free included */
	uint32_t free;            /* the first free place, from 1, whose size is the next one's number; 0: none */
};
/* A table of zeroes is empty. */
void heap_blocks_free(struct heap_blocks *blocks);
/* Adds a block. True if there was one at its address, which is put into *old. */
bool heap_blocks_add(struct heap_blocks *blocks, const struct heap_block *block, struct heap_block *old);
/* Takes the block at an address out, into *block. False if there is none. */
bool heap_blocks_take(struct heap_blocks *blocks, uint64_t address, struct heap_block *block);

#endif
