/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a pc to the load object that was mapped there, in the address space of one process at one time. */
#ifndef SEGMENTS_H
#define SEGMENTS_H

#include "experiment.h"
#include <stdint.h>

/* Stretches of code in one address space, sorted for searching. */
struct segments {
	const struct mapped_segment **sorted; /* by address, size, generation */
	uint32_t count;
	struct segment_slot {              /* segments of one address and size, one after the other in time */
		uint64_t low, high, reach; /* reach: the greatest `high` up to this slot */
		uint32_t first, count;
	} * slots;
	uint32_t slot_count;
};

void segments_sort(struct segments *segments, const struct mapped_segment *mapped, size_t count);
void segments_free(struct segments *segments);

/* The segment that holds the pc in a generation of the address space, or 0. */
const struct mapped_segment *segments_find(const struct segments *segments, uint64_t pc, uint32_t generation);

#endif
