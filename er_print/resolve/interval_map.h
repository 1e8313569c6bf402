/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From an address to the interval that owns it, when intervals nest or overlap: made flat once, then one binary search. */
#ifndef INTERVAL_MAP_H
#define INTERVAL_MAP_H

#include <stdint.h>

#define NO_INTERVAL UINT32_MAX

struct interval {
	uint64_t low, high;       /* [low, high) */
	uint32_t value, priority; /* where intervals overlap, the greatest priority owns, then the greatest value */
};

/* Zero-initialised owns nothing. */
struct interval_map {
	uint64_t *start; /* ascending; piece i is [start[i], start[i + 1]) */
	uint32_t *value; /* NO_INTERVAL: a gap; the last piece always is one */
	uint32_t count;
};

/* Sorts `intervals` in place; empty ones are ignored. O(n log n) whatever they are. */
void interval_map_build(struct interval_map *map, struct interval *intervals, uint32_t count);
void interval_map_free(struct interval_map *map);
/* The index of the piece that holds the address, or NO_INTERVAL when it is before all of them. */
uint32_t interval_map_piece(const struct interval_map *map, uint64_t address);
/* The value that owns the address, or NO_INTERVAL. */
uint32_t interval_map_find(const struct interval_map *map, uint64_t address);

#endif
