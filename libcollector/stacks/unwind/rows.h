/* SPDX-License-Identifier: Apache-2.0 */
/* The unwind row of an address, all that one step of a walk needs, packed into 64 bits, and the cache of such rows: one per
   process, two-way, without locks. An entry is two words, the second being key ^ hash(row), so a torn entry reads as a miss. */
#ifndef ROWS_H
#define ROWS_H

#include <stdbool.h>
#include <stdint.h>

enum row_kind {
	ROW_NONE,   /* no unwind information: see row_has_module() */
	ROW_SP,     /* CFA = sp + offset */
	ROW_FP,     /* CFA = fp + offset */
	ROW_AT_SP,  /* CFA = *(sp + offset) + offset2 */
	ROW_AT_FP,  /* CFA = *(fp + offset) + offset2 */
	ROW_SIGNAL, /* the kernel's frame of a signal, at sp */
	ROW_END,    /* a thread's first frame */
	ROW_SLOW,   /* does not fit: read the table again, with the registers at hand */
};
enum row_fp { ROW_FP_SAME, ROW_FP_FROM_CFA, ROW_FP_FROM_FP, ROW_FP_FROM_SP }; /* base of the slot that saves the fp */

/* Bits 0-2 kind, 3-4 row_fp, 5: the return address is in the link register, 6: some module is mapped there,
   7-12 offset2 / 8, 13-31 offset of fp's slot / 8, 32-63 offset. */
#define ROW_RETURN_IN_LINK (1ull << 5)
#define ROW_HAS_MODULE     (1ull << 6)

static inline enum row_kind row_kind(uint64_t row)
{
	return (enum row_kind)(row & 7);
}
/* A start that no table marks is known by its address alone, and the byte before it counts as the start's: nothing need be
   mapped there. An object may have gaps that hold no function. */
static inline bool row_proves_mapping(uint64_t row)
{
	return row_kind(row) != ROW_NONE && row_kind(row) != ROW_END;
}
static inline enum row_fp row_fp(uint64_t row)
{
	return (enum row_fp)(row >> 3 & 3);
}
static inline int64_t row_offset(uint64_t row)
{
	return (int64_t)row >> 32;
}
static inline int64_t row_fp_offset(uint64_t row)
{
	return (int64_t)((int32_t)row >> 13) * 8;
}
static inline int64_t row_offset2(uint64_t row)
{
	return ((int64_t)(row << 51) >> 58) * 8;
}

#define ROW_CACHE_BITS 14
struct row_entry {
	uint64_t check, row; /* check: key ^ row * ROW_HASH */
};
#define ROW_HASH 0x9E3779B97F4A7C15ull
extern struct row_entry row_cache[1 << ROW_CACHE_BITS];
/* Part of every key: a new generation empties the cache. Atomic. */
extern uint32_t row_generation;

/* Computes and keeps the row of pc. Async-signal-safe. */
uint64_t row_compute(uint64_t pc, struct row_entry *entries, uint64_t key);

/* The row of an address inside an instruction of the frame's function (a return address minus 1). */
static inline uint64_t row_of(uint64_t pc)
{
	uint64_t key = pc ^ (uint64_t)__atomic_load_n(&row_generation, __ATOMIC_RELAXED) << 48;
	struct row_entry *entries = &row_cache[2 * ((pc ^ pc >> ROW_CACHE_BITS) & ((1u << (ROW_CACHE_BITS - 1)) - 1))];
	for (int way = 0; way < 2; way++) {
		uint64_t row = __atomic_load_n(&entries[way].row, __ATOMIC_RELAXED);
		uint64_t check = __atomic_load_n(&entries[way].check, __ATOMIC_RELAXED);
		if (__builtin_expect((check ^ row * ROW_HASH) == key, 1))
			return row;
	}
	return row_compute(pc, entries, key);
}

#endif
