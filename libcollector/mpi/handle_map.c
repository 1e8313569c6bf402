/* SPDX-License-Identifier: Apache-2.0 */
/* A chained hash table whose nodes lie in one array, which doubles. */
#include "handle_map.h"
#include "pages.h"
#include <stddef.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

struct node {
	uint64_t handle;
	uint32_t next; /* number of a node and 1; 0: none */
	uint32_t unused;
};

static size_t node_size(const struct handle_map *map)
{
	return sizeof(struct node) + ((map->entry_size + 7u) & ~7u);
}

static struct node *node_at(const struct handle_map *map, uint32_t number)
{
	return (struct node *)(map->nodes + (number - 1) * node_size(map));
}

static struct node *node_of(const void *entry)
{
	return (struct node *)((const char *)entry - sizeof(struct node));
}

static uint32_t number_of(const struct handle_map *map, const struct node *node)
{
	return (uint32_t)((size_t)((const char *)node - map->nodes) / node_size(map)) + 1;
}

static uint32_t *bucket(const struct handle_map *map, uint64_t handle)
{
	uint64_t hash = handle * 0x9E3779B97F4A7C15ull;
	return &map->buckets[(hash >> 32) & (map->capacity - 1)];
}

static void append(struct handle_map *map, uint32_t number)
{
	struct node *node = node_at(map, number);
	uint32_t *end = bucket(map, node->handle);
	while (*end)
		end = &node_at(map, *end)->next;
	node->next = 0;
	*end = number;
}

static int grow(struct handle_map *map)
{
	struct handle_map larger = *map;
	larger.capacity = map->capacity ? map->capacity * 2 : FIRST_CAPACITY;
	larger.nodes = pages_map(larger.capacity * node_size(map));
	larger.buckets = pages_map(larger.capacity * sizeof *larger.buckets);
	if (!larger.nodes || !larger.buckets) {
		pages_unmap(larger.nodes, larger.capacity * node_size(map));
		pages_unmap(larger.buckets, larger.capacity * sizeof *larger.buckets);
		return 0;
	}
	if (map->nodes)
		memcpy(larger.nodes, map->nodes, map->capacity * node_size(map));
	/* Chain by chain, so that entries of one handle stay in their order. */
	for (uint32_t b = 0; b < map->capacity; b++)
		for (uint32_t n = map->buckets[b], next; n; n = next) {
			next = node_at(map, n)->next;
			append(&larger, n);
		}
	for (uint32_t n = larger.capacity; n > map->capacity; n--) {
		node_at(&larger, n)->next = larger.free;
		larger.free = n;
	}
	pages_unmap(map->nodes, map->capacity * node_size(map));
	pages_unmap(map->buckets, map->capacity * sizeof *map->buckets);
	*map = larger;
	return 1;
}

void *handle_map_add(struct handle_map *map, uint64_t handle)
{
	if (!map->free && !grow(map))
		return 0;
	uint32_t number = map->free;
	struct node *node = node_at(map, number);
	map->free = node->next;
	map->count++;
	memset(node, 0, node_size(map));
	node->handle = handle;
	append(map, number);
	return node + 1;
}

static void *first_of(const struct handle_map *map, uint32_t number, uint64_t handle)
{
	for (; number; number = node_at(map, number)->next)
		if (node_at(map, number)->handle == handle)
			return node_at(map, number) + 1;
	return 0;
}

void *handle_map_find(const struct handle_map *map, uint64_t handle)
{
	return map->count ? first_of(map, *bucket(map, handle), handle) : 0;
}

void *handle_map_next(const struct handle_map *map, const void *entry)
{
	return first_of(map, node_of(entry)->next, node_of(entry)->handle);
}

void handle_map_remove(struct handle_map *map, void *entry)
{
	struct node *node = node_of(entry);
	uint32_t number = number_of(map, node), *link = bucket(map, node->handle);
	while (*link && *link != number)
		link = &node_at(map, *link)->next;
	*link = node->next;
	node->next = map->free;
	map->free = number;
	map->count--;
}

void handle_map_clear(struct handle_map *map)
{
	pages_unmap(map->nodes, map->capacity * node_size(map));
	pages_unmap(map->buckets, map->capacity * sizeof *map->buckets);
	*map = (struct handle_map){.entry_size = map->entry_size};
}
