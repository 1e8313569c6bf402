/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers by descriptor: see descriptor_table.h. */
#include "descriptor_table.h"
#include "pages.h"

enum { CHUNK_SIZE = DESCRIPTOR_CHUNK * sizeof(uint64_t) };

uint64_t *descriptor_place_made(struct descriptor_table *table, int descriptor)
{
	if (descriptor < 0 || descriptor >= DESCRIPTOR_CHUNK * DESCRIPTOR_CHUNKS)
		return 0;
	uint64_t **chunk = &table->chunks[descriptor / DESCRIPTOR_CHUNK],
		 *numbers = __atomic_load_n(chunk, __ATOMIC_ACQUIRE);
	if (!numbers) {
		uint64_t *fresh = pages_map(CHUNK_SIZE);
		if (!fresh)
			return 0;
		if (__atomic_compare_exchange_n(chunk, &numbers, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			numbers = fresh;
		else
			pages_unmap(fresh, CHUNK_SIZE);
	}
	return &numbers[descriptor % DESCRIPTOR_CHUNK];
}

void descriptor_learn(struct descriptor_table *table, int descriptor, uint64_t number, uint32_t before)
{
	uint64_t *place = descriptor_place_made(table, descriptor);
	if (!place)
		return;
	__atomic_store_n(place, number, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&table->changes, __ATOMIC_SEQ_CST) != before)
		__atomic_store_n(place, 0, __ATOMIC_RELEASE);
}

void descriptors_forget(struct descriptor_table *table, unsigned first, unsigned last)
{
	__atomic_fetch_add(&table->changes, 1, __ATOMIC_SEQ_CST);
	for (unsigned descriptor = first; descriptor <= last && descriptor < DESCRIPTOR_CHUNK * DESCRIPTOR_CHUNKS;
		descriptor++) {
		uint64_t *place = descriptor_place(table, (int)descriptor);
		if (place)
			__atomic_store_n(place, 0, __ATOMIC_SEQ_CST);
		else
			descriptor |= DESCRIPTOR_CHUNK - 1; /* nothing is known of the whole chunk */
	}
}

void descriptors_forget_all(struct descriptor_table *table)
{
	for (unsigned i = 0; i < DESCRIPTOR_CHUNKS; i++) {
		if (table->chunks[i])
			pages_unmap(table->chunks[i], CHUNK_SIZE);
		table->chunks[i] = 0;
	}
}
