/* SPDX-License-Identifier: Apache-2.0 */
/* Places and their bits. */
#include "block_pool.h"

static unsigned lowest(uint64_t bits)
{
	return (unsigned)__builtin_ctzll(bits);
}

void block_pool_clear(struct block_pool *pool)
{
	for (unsigned word = 0; word < POOL_WORDS; word++) {
		for (uint64_t bits = pool->filled[word]; bits; bits &= bits - 1)
			pool->places[64 * word + lowest(bits)] = 0;
		pool->filled[word] = 0;
	}
}

static bool give_to_word(struct block_pool *pool, unsigned word, struct block_header *block)
{
	/* No lock: a thread may end, or a signal's handler may run, while another is anywhere in here. The place is filled before
	   its bit is set, and the bit is cleared before the place is emptied, so whoever wins a bit finds a block. */
	uint64_t empty = ~__atomic_load_n(&pool->filled[word], __ATOMIC_RELAXED);
	for (; empty; empty &= empty - 1) {
		struct block_header *none = 0;
		unsigned bit = lowest(empty);
		if (!__atomic_compare_exchange_n(
			    &pool->places[64 * word + bit], &none, block, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		__atomic_fetch_or(&pool->filled[word], 1ull << bit, __ATOMIC_RELEASE);
		return true;
	}
	return false;
}

bool block_pool_give(struct block_pool *pool, struct block_header *block)
{
	for (unsigned word = 0; word < POOL_WORDS; word++)
		if (give_to_word(pool, word, block))
			return true;
	return false;
}

static struct block_header *take_from_word(struct block_pool *pool, unsigned word)
{
	uint64_t filled = __atomic_load_n(&pool->filled[word], __ATOMIC_RELAXED);
	while (filled) {
		uint64_t bit = filled & -filled;
		filled = __atomic_fetch_and(&pool->filled[word], ~bit, __ATOMIC_ACQUIRE);
		if (filled & bit)
			return __atomic_exchange_n(&pool->places[64 * word + lowest(bit)], 0, __ATOMIC_RELEASE);
	}
	return 0;
}

struct block_header *block_pool_take(struct block_pool *pool)
{
	struct block_header *block = 0;
	for (unsigned word = 0; word < POOL_WORDS && !block; word++)
		block = take_from_word(pool, word);
	return block;
}
