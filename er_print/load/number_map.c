/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open addressing with linear probing, at most two thirds full. A key that is taken out leaves no mark: those behind it move up. */
#include "number_map.h"
#include "storage.h"

#include <stdlib.h>

static uint32_t home_of(const struct number_map *map, uint64_t key)
{
	uint64_t hash = key * 0x9E3779B97F4A7C15ull;
	return (uint32_t)((hash ^ hash >> 32) & (map->capacity - 1));
}

static struct number_entry *probe(const struct number_map *map, uint64_t key)
{
	uint32_t place = home_of(map, key);
	while (map->entries[place].value != NO_NUMBER && map->entries[place].key != key)
		place = (place + 1) & (map->capacity - 1);
	return &map->entries[place];
}

static void enlarge(struct number_map *map)
{
	struct number_map larger = {.capacity = map->capacity ? map->capacity * 2 : 64, .count = map->count};
	larger.entries = memory_resize(0, larger.capacity, sizeof *larger.entries);
	for (uint32_t i = 0; i < larger.capacity; i++)
		larger.entries[i].value = NO_NUMBER;
	for (uint32_t i = 0; i < map->capacity; i++)
		if (map->entries[i].value != NO_NUMBER)
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
	if (entry->value == NO_NUMBER) {
		entry->key = key;
		map->count++;
	}
	return &entry->value;
}

uint32_t number_map_find(const struct number_map *map, uint64_t key)
{
	return map->capacity ? probe(map, key)->value : NO_NUMBER;
}

uint32_t number_map_take(struct number_map *map, uint64_t key)
{
	struct number_entry *entry = map->capacity ? probe(map, key) : 0;
	uint32_t value = entry ? entry->value : NO_NUMBER;
	if (value == NO_NUMBER)
		return NO_NUMBER;
	map->count--;
	uint32_t mask = map->capacity - 1, hole = (uint32_t)(entry - map->entries);
	for (uint32_t next = (hole + 1) & mask; map->entries[next].value != NO_NUMBER; next = (next + 1) & mask) {
		uint32_t home = home_of(map, map->entries[next].key);
		if (((next - home) & mask) < ((next - hole) & mask))
			continue;
		map->entries[hole] = map->entries[next];
		hole = next;
	}
	map->entries[hole].value = NO_NUMBER;
	return value;
}
