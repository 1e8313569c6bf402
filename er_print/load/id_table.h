/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table from content to a small number: the content lives in the caller's dense array, the table holds indexes. */
#ifndef ID_TABLE_H
#define ID_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#define NO_ID UINT32_MAX

/* Zero-initialised is empty. */
struct id_table {
	struct id_slot {
		uint32_t hash, id; /* id + 1; 0: free */
	} * slots;
	uint32_t capacity, count;
};

/* Whether element `id` of the caller's array has the content `key`. */
typedef bool id_equal(const void *context, uint32_t id, const void *key);

/* The id whose content is `key`, or NO_ID. */
uint32_t id_table_find(
	const struct id_table *table, uint64_t hash, id_equal *equal, const void *context, const void *key);
/* Adds an id whose content is not in the table yet. */
void id_table_add(struct id_table *table, uint64_t hash, uint32_t id);
void id_table_free(struct id_table *table);

static inline uint64_t hash_number(uint64_t number)
{
	number = (number ^ number >> 32) * 0xD6E8FEB86659FD93ull;
	number = (number ^ number >> 32) * 0xD6E8FEB86659FD93ull;
	return number ^ number >> 32;
}
static inline uint64_t hash_pair(uint64_t a, uint64_t b)
{
	return hash_number(a * 0x9E3779B97F4A7C15ull ^ b);
}
uint64_t hash_text(const char *text);

#endif
