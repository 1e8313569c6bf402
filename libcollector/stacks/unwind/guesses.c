/* SPDX-License-Identifier: Apache-2.0 */
/* The table of guesses. An entry is two words, the first being key ^ hash(second), so that a torn one reads as a miss. */
#include "guesses.h"
#include "rows.h"

#define TABLE_BITS 12

static struct {
	uint64_t check, word; /* word: kind, offset / 8 from bit 8 on, the code's hash from bit 32 on */
} table[1 << TABLE_BITS];

/* A new generation may have other modules, which the search asked for. */
static uint64_t key_of(uint64_t pc)
{
	return pc ^ (uint64_t)__atomic_load_n(&row_generation, __ATOMIC_RELAXED) << 48;
}

static unsigned index_of(uint64_t pc)
{
	return (unsigned)(pc * ROW_HASH >> (64 - TABLE_BITS));
}

struct guess guess_recall(uint64_t pc, uint32_t code)
{
	unsigned i = index_of(pc);
	uint64_t word = __atomic_load_n(&table[i].word, __ATOMIC_RELAXED);
	uint64_t check = __atomic_load_n(&table[i].check, __ATOMIC_RELAXED);
	if ((check ^ word * ROW_HASH) != key_of(pc) || word >> 32 != code)
		return (struct guess){GUESS_NONE, 0};
	return (struct guess){(enum guess_kind)(word & 255), (uint32_t)word >> 8 << 3};
}

void guess_remember(uint64_t pc, uint32_t code, struct guess guess)
{
	unsigned i = index_of(pc);
	uint64_t word = (uint64_t)code << 32 | guess.offset >> 3 << 8 | guess.kind;
	__atomic_store_n(&table[i].word, word, __ATOMIC_RELAXED);
	__atomic_store_n(&table[i].check, key_of(pc) ^ word * ROW_HASH, __ATOMIC_RELAXED);
}
