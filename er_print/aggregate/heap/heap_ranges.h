/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mappings that a process has at a moment, as ranges of addresses that do not overlap. */
#ifndef HEAP_RANGES_H
#define HEAP_RANGES_H

#include <stdbool.h>
#include <stdint.h>

struct heap_range {
	uint64_t start, end; /* [start, end) */
	uint64_t slack;      /* bytes at its end that were not asked for: the rest of a page */
	uint64_t mapping;    /* number of the allocation that it is a part of */
	uint32_t stack;
	bool counts;
};
struct heap_ranges {
	struct heap_range *ranges; /* ascending */
	uint64_t count;
};
static inline uint64_t heap_range_size(const struct heap_range *range)
{
	uint64_t size = range->end - range->start;
	return size > range->slack ? size - range->slack : 0;
}
/* Ranges of zeroes are none. */
void heap_ranges_free(struct heap_ranges *ranges);
/* Takes out what lies in [start, end): `taken` gets each piece. */
void heap_ranges_take(struct heap_ranges *ranges, uint64_t start, uint64_t end,
	void (*taken)(void *context, const struct heap_range *piece), void *context);
/* Adds a range where there is none. */
void heap_ranges_add(struct heap_ranges *ranges, const struct heap_range *range);

#endif
