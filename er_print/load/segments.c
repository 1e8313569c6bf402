/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a pc to the load object that was mapped there: slots by address, in each the generations in order. */
#include "segments.h"
#include "search.h"
#include "storage.h"
#include <stdlib.h>

static int by_address(const void *a, const void *b)
{
	const struct mapped_segment *x = *(const struct mapped_segment *const *)a;
	const struct mapped_segment *y = *(const struct mapped_segment *const *)b;
	return COMPARE(x->address, y->address) ?: COMPARE(x->size, y->size) ?: COMPARE(x->from_generation, y->from_generation);
}

void segments_sort(struct segments *segments, const struct mapped_segment *mapped, size_t count)
{
	segments->sorted = memory_new(count, sizeof *segments->sorted);
	segments->slots = memory_new(count, sizeof *segments->slots);
	for (size_t i = 0; i < count; i++) {
		const struct mapped_segment *segment = &mapped[i];
		if (segment->size && segment->size <= UINT64_MAX - segment->address)
			segments->sorted[segments->count++] = segment;
	}
	qsort(segments->sorted, segments->count, sizeof *segments->sorted, by_address);
	uint64_t reach = 0;
	for (uint32_t i = 0; i < segments->count; i++) {
		uint64_t low = segments->sorted[i]->address, high = low + segments->sorted[i]->size;
		struct segment_slot *slot = segments->slots + segments->slot_count;
		if (segments->slot_count && slot[-1].low == low && slot[-1].high == high) {
			slot[-1].count++;
			continue;
		}
		reach = high > reach ? high : reach;
		*slot = (struct segment_slot){low, high, reach, i, 1};
		segments->slot_count++;
	}
}

void segments_free(struct segments *segments)
{
	free(segments->sorted);
	free(segments->slots);
	*segments = (struct segments){0};
}

/* The slot's segment of that generation: the last that begins by then, if it still stands. */
static const struct mapped_segment *in_slot(
	const struct segments *segments, const struct segment_slot *slot, uint32_t generation)
{
	uint32_t low = FIRST_WHERE(i, slot->count, segments->sorted[slot->first + i]->from_generation > generation);
	if (!low)
		return 0;
	const struct mapped_segment *segment = segments->sorted[slot->first + low - 1];
	return generation < segment->to_generation || segment->to_generation == UINT32_MAX ? segment : 0;
}

enum { OVERLAPS_MAX = 256 }; /* slots that hold one pc; a sane map has a few, a hostile one must not cost more */

const struct mapped_segment *segments_find(const struct segments *segments, uint64_t pc, uint32_t generation)
{
	uint32_t low = FIRST_WHERE(i, segments->slot_count, segments->slots[i].low > pc);
	for (uint32_t i = low, seen = 0; i-- > 0 && segments->slots[i].reach > pc && seen < OVERLAPS_MAX; seen++) {
		const struct mapped_segment *found =
			pc < segments->slots[i].high ? in_slot(segments, &segments->slots[i], generation) : 0;
		if (found)
			return found;
	}
	return 0;
}
