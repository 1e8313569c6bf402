/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table from 64-bit keys to 32-bit values, which are as a rule the indexes of what the key, a pair of indexes or an address
   stands for. For other keys see id_table.h, which has half as large entries but needs the content beside it to be compared. */
#ifndef NUMBER_MAP_H
#define NUMBER_MAP_H

#include <stdint.h>

#define NO_NUMBER UINT32_MAX

struct number_map {
	struct number_entry {
		uint64_t key;
		uint32_t value; /* NO_NUMBER: the place is free */
	} * entries;
	uint32_t capacity; /* a power of two, or 0 */
	uint32_t count;
};
/* A map of zeroes is empty. */
void number_map_free(struct number_map *map);
/* The place of the key's value, made with NO_NUMBER if it was not there; valid until the next call. The caller must set such a
   value to another one before that. */
uint32_t *number_map_place(struct number_map *map, uint64_t key);
/* The key's value, or NO_NUMBER. */
uint32_t number_map_find(const struct number_map *map, uint64_t key);
/* Takes the key out. Returns its value, or NO_NUMBER if it was not there. */
uint32_t number_map_take(struct number_map *map, uint64_t key);

static inline uint64_t number_pair(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

#endif
