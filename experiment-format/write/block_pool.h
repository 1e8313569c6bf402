/* SPDX-License-Identifier: Apache-2.0 */
/* Mapped blocks that nobody writes into now and that have room: for whoever needs one next. For all threads, lock-free,
   async-signal-safe. */
#ifndef BLOCK_POOL_H
#define BLOCK_POOL_H

#include "layout.h"
#include <stdbool.h>
#include <stdint.h>

enum { POOL_WORDS = 16, POOL_MAX = 64 * POOL_WORDS };

/* Zero: empty. A place is filled before its bit is set, and whoever clears the bit owns what is there. */
struct block_pool {
	uint64_t filled[POOL_WORDS];           /* atomic, each: bit i of word w: place 64 w + i */
	struct block_header *places[POOL_MAX]; /* atomic, each; 0: free */
};

/* Forgets the blocks: those of another process, in the child of a fork. Touches only places that are filled. */
void block_pool_clear(struct block_pool *pool);
/* False: the pool is full; the block stays the caller's. */
bool block_pool_give(struct block_pool *pool, struct block_header *block);
/* 0: empty. */
struct block_header *block_pool_take(struct block_pool *pool);

#endif
