/* SPDX-License-Identifier: Apache-2.0 */
/* A number that is known of each descriptor of the target, until its number is closed or has come to stand for something else.
   Lock-free, async-signal-safe. */
#ifndef DESCRIPTOR_TABLE_H
#define DESCRIPTOR_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum { DESCRIPTOR_CHUNK = 8192, DESCRIPTOR_CHUNKS = 128 };

/* Chunks of pages are made when one of their descriptors is seen, each page when one of its own is. All zero: empty. */
struct descriptor_table {
	uint64_t *chunks[DESCRIPTOR_CHUNKS]; /* atomic */
	uint32_t changes;                    /* atomic: how often descriptors were forgotten */
};

/* Its place, 0 if there is none: the number is too high, or, without `make`, nothing near it was seen. */
uint64_t *descriptor_place_made(struct descriptor_table *table, int descriptor);
static inline __attribute__((always_inline)) uint64_t *descriptor_place(struct descriptor_table *table, int descriptor)
{
	if ((unsigned)descriptor >= DESCRIPTOR_CHUNK * DESCRIPTOR_CHUNKS)
		return 0;
	uint64_t *chunk = __atomic_load_n(&table->chunks[descriptor / DESCRIPTOR_CHUNK], __ATOMIC_ACQUIRE);
	return chunk ? &chunk[descriptor % DESCRIPTOR_CHUNK] : 0;
}

/* Its number; 0: not known. */
static inline __attribute__((always_inline)) uint64_t descriptor_number(struct descriptor_table *table, int descriptor)
{
	uint64_t *place = descriptor_place(table, descriptor);
	return place ? __atomic_load_n(place, __ATOMIC_ACQUIRE) : 0;
}

/* Keeps a number that was looked up, `before` being `changes` before that: descriptors that were closed meanwhile stay unknown. */
void descriptor_learn(struct descriptor_table *table, int descriptor, uint64_t number, uint32_t before);

/* The descriptors [first, last] are closed, or will stand for something else: before the real call, and after it, for what another
   thread has looked up meanwhile. */
void descriptors_forget(struct descriptor_table *table, unsigned first, unsigned last);
/* All of them. While no other thread uses the table. */
void descriptors_forget_all(struct descriptor_table *table);

#endif
