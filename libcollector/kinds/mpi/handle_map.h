/* SPDX-License-Identifier: Apache-2.0 */
/* Our knowledge of MPI's handles: a hash table from a handle to an entry of fixed size. A handle may have several entries (MPICH
   gives one for many requests that are complete at once), of several owners (threads); those of an owner come out in the order
   in which they went in, and cost what one costs. Not reentrant; the caller keeps other threads out. */
#ifndef HANDLE_MAP_H
#define HANDLE_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct handle_map {
	uint32_t entry_size; /* set by the owner: bytes of an entry */
	uint32_t count, capacity, free;
	uint32_t age; /* of the newest */
	uint32_t *buckets;
	char *nodes;
};

/* A zeroed entry for the handle; 0: no memory. Entries may move: pointers from before are void. `owner`: 0 where all have one. */
void *handle_map_add(struct handle_map *map, uint64_t handle, uint32_t owner);
/* The handle's first entry of that owner, 0 if there is none; and the entry after that one of the same handle and owner. */
void *handle_map_find(const struct handle_map *map, uint64_t handle, uint32_t owner);
void *handle_map_next(const struct handle_map *map, const void *entry);
/* The first entries of all owners of a handle: of one, 0 if there is none; and of another, when one is given. */
void *handle_map_find_first(const struct handle_map *map, uint64_t handle);
void *handle_map_next_first(const struct handle_map *map, const void *first);
/* Whether an entry went in before another. */
bool handle_map_is_before(const void *entry, const void *other);
void handle_map_remove(struct handle_map *map, void *entry);
/* Forgets everything, in a fork child; the memory is let go. */
void handle_map_clear(struct handle_map *map);

#endif
