/* SPDX-License-Identifier: Apache-2.0 */
/* A chained hash table whose nodes lie in one array, which doubles. A chain has one node of each handle and owner, its oldest; the
   others of them hang on that in a list of their own, so that however many they are, they cost what one costs. */
#include "handle_map.h"
#include "pages.h"
#include <stddef.h>
#include <string.h>

enum { FIRST_CAPACITY = 256, UNIT = 8 };

struct node {
	uint64_t handle;
	/* Nodes by their place in the array, in units and from 1 on, which takes no division to find out; 0: none. */
	uint32_t next;   /* in the chain, of a handle's and owner's oldest; in the list of free ones */
	uint32_t newer;  /* of the same handle and owner */
	uint32_t older;  /* of the same; 0: this is the oldest */
	uint32_t newest; /* of the same, in their oldest */
	uint32_t owner;
	uint32_t age; /* counts on with each that goes in, modulo 2^32 */
};

static size_t entry_bytes(const struct handle_map *map)
{
	return (map->entry_size + UNIT - 1u) & ~(UNIT - 1u);
}

static size_t node_size(const struct handle_map *map)
{
	return sizeof(struct node) + entry_bytes(map);
}

static struct node *node_at(const struct handle_map *map, uint32_t place)
{
	return (struct node *)(map->nodes + (place - 1ul) * UNIT);
}

static struct node *node_of(const void *entry)
{
	return (struct node *)((const char *)entry - sizeof(struct node));
}

static uint32_t place_of(const struct handle_map *map, const struct node *node)
{
	return (uint32_t)((size_t)((const char *)node - map->nodes) / UNIT) + 1;
}

static uint32_t *bucket(const struct handle_map *map, uint64_t handle)
{
	/* Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): handles are addresses or small places, whose upper
	   halves differ little. */
	uint64_t hash = handle * 0x9E3779B97F4A7C15ull;
	return &map->buckets[(hash >> 32) & (map->capacity - 1)];
}

static void put_in_chain(struct handle_map *map, uint32_t place)
{
	struct node *node = node_at(map, place);
	uint32_t *first = bucket(map, node->handle);
	node->next = *first;
	*first = place;
}

/* The link that leads to the oldest node of a handle and owner, or to none. */
static uint32_t *link_to(const struct handle_map *map, uint64_t handle, uint32_t owner)
{
	uint32_t *link = bucket(map, handle);
	for (; *link; link = &node_at(map, *link)->next) {
		const struct node *node = node_at(map, *link);
		if (node->handle == handle && node->owner == owner)
			break;
	}
	return link;
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
	/* Only the oldest node of a handle and owner is in a chain, so only those move to another one. */
	for (uint32_t b = 0; b < map->capacity; b++)
		for (uint32_t n = map->buckets[b]; n; n = node_at(map, n)->next)
			put_in_chain(&larger, n);
	/* The list of free nodes is built from the end, so that nodes are taken in the order in which they lie in memory. */
	for (uint32_t n = larger.capacity; n > map->capacity; n--) {
		uint32_t place = (uint32_t)((n - 1ul) * node_size(map) / UNIT) + 1;
		node_at(&larger, place)->next = larger.free;
		larger.free = place;
	}
	pages_unmap(map->nodes, map->capacity * node_size(map));
	pages_unmap(map->buckets, map->capacity * sizeof *map->buckets);
	*map = larger;
	return 1;
}

void *handle_map_add(struct handle_map *map, uint64_t handle, uint32_t owner)
{
	if (!map->free && !grow(map))
		return 0;
	uint32_t place = map->free;
	struct node *node = node_at(map, place);
	map->free = node->next;
	map->count++;
	*node = (struct node){.handle = handle, .owner = owner, .age = ++map->age};
	memset(node + 1, 0, entry_bytes(map));
	uint32_t oldest = *link_to(map, handle, owner);
	if (oldest) {
		node->older = node_at(map, oldest)->newest;
		node_at(map, node->older)->newer = place;
		node_at(map, oldest)->newest = place;
	} else {
		node->newest = place;
		put_in_chain(map, place);
	}
	return node + 1;
}

static void *entry_at(const struct handle_map *map, uint32_t place)
{
	return place ? node_at(map, place) + 1 : 0;
}

void *handle_map_find(const struct handle_map *map, uint64_t handle, uint32_t owner)
{
	return map->count ? entry_at(map, *link_to(map, handle, owner)) : 0;
}

/* The first one of the handle in the rest of a chain. */
static void *first_from(const struct handle_map *map, uint32_t place, uint64_t handle)
{
	while (place && node_at(map, place)->handle != handle)
		place = node_at(map, place)->next;
	return entry_at(map, place);
}

void *handle_map_find_first(const struct handle_map *map, uint64_t handle)
{
	return map->count ? first_from(map, *bucket(map, handle), handle) : 0;
}

void *handle_map_next_first(const struct handle_map *map, const void *first)
{
	return first_from(map, node_of(first)->next, node_of(first)->handle);
}

bool handle_map_is_before(const void *entry, const void *other)
{
	/* A difference taken as signed is right across the overflow, too, as long as entries are less than 2^31 apart in age. */
	return (int32_t)(node_of(entry)->age - node_of(other)->age) < 0;
}

void *handle_map_next(const struct handle_map *map, const void *entry)
{
	return entry_at(map, node_of(entry)->newer);
}

/* The next one becomes the handle's oldest. */
static void remove_oldest(struct handle_map *map, const struct node *node)
{
	uint32_t *link = link_to(map, node->handle, node->owner);
	if (!node->newer) {
		*link = node->next;
		return;
	}
	struct node *newer = node_at(map, node->newer);
	newer->older = 0;
	newer->next = node->next;
	newer->newest = node->newest;
	*link = node->newer;
}

static void remove_other(struct handle_map *map, const struct node *node)
{
	node_at(map, node->older)->newer = node->newer;
	if (node->newer)
		node_at(map, node->newer)->older = node->older;
	else
		node_at(map, *link_to(map, node->handle, node->owner))->newest = node->older;
}

void handle_map_remove(struct handle_map *map, void *entry)
{
	struct node *node = node_of(entry);
	uint32_t place = place_of(map, node);
	if (node->older)
		remove_other(map, node);
	else
		remove_oldest(map, node);
	node->next = map->free;
	map->free = place;
	map->count--;
}

void handle_map_clear(struct handle_map *map)
{
	pages_unmap(map->nodes, map->capacity * node_size(map));
	pages_unmap(map->buckets, map->capacity * sizeof *map->buckets);
	*map = (struct handle_map){.entry_size = map->entry_size};
}
