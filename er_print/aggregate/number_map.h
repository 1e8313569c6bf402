/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A map from 64-bit keys to 32-bit values: finds the one number that a pair of indexes stands for. */
#ifndef NUMBER_MAP_H
#define NUMBER_MAP_H

#include <stdint.h>

struct number_map {
	struct number_entry {
		uint64_t key;
		uint32_t value; /* UINT32_MAX: the place is free */
	} * entries;
	uint32_t capacity; /* a power of two, or 0 */
	uint32_t count;
};
/* A map of zeroes is empty. */
void number_map_free(struct number_map *map);
/* The place of the key's value, made with UINT32_MAX if it was not there; valid until the next call. The
   caller must set such a value to another one before that. */
uint32_t *number_map_place(struct number_map *map, uint64_t key);
/* The key's value, or UINT32_MAX. */
uint32_t number_map_find(const struct number_map *map, uint64_t key);

static inline uint64_t number_pair(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

#endif
