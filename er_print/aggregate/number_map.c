/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open addressing with linear probing, at most two thirds full. */
#include "number_map.h"
#include "storage.h"

#include <stdlib.h>

static struct number_entry *probe(const struct number_map *map, uint64_t key)
{
	uint64_t hash = key * 0x9E3779B97F4A7C15ull;
	uint32_t place = (uint32_t)((hash ^ hash >> 32) & (map->capacity - 1));
	while (map->entries[place].value != UINT32_MAX && map->entries[place].key != key)
		place = (place + 1) & (map->capacity - 1);
	return &map->entries[place];
}

static void enlarge(struct number_map *map)
{
	struct number_map larger = {.capacity = map->capacity ? map->capacity * 2 : 64, .count = map->count};
	larger.entries = memory_new(larger.capacity, sizeof *larger.entries);
	for (uint32_t i = 0; i < larger.capacity; i++)
		larger.entries[i].value = UINT32_MAX;
	for (uint32_t i = 0; i < map->capacity; i++)
		if (map->entries[i].value != UINT32_MAX)
			*probe(&larger, map->entries[i].key) = map->entries[i];
	free(map->entries);
	*map = larger;
}

void number_map_free(struct number_map *map)
{
	free(map->entries);
	*map = (struct number_map){0};
}

uint32_t *number_map_place(struct number_map *map, uint64_t key)
{
	if (map->count >= map->capacity / 3 * 2)
		enlarge(map);
	struct number_entry *entry = probe(map, key);
	if (entry->value == UINT32_MAX) {
		entry->key = key;
		map->count++;
	}
	return &entry->value;
}

uint32_t number_map_find(const struct number_map *map, uint64_t key)
{
	return map->capacity ? probe(map, key)->value : UINT32_MAX;
}
