/* SPDX-License-Identifier: Apache-2.0 */
/* What we know of MPI's handles: a hash table from a handle to an entry of fixed size. A handle may have several entries (MPICH
   gives one for many requests that are complete at once); they come out in the order in which they went in. Not reentrant;
   the caller keeps other threads out. */
#ifndef HANDLE_MAP_H
#define HANDLE_MAP_H

#include <stdint.h>

struct handle_map {
	uint32_t entry_size; /* set by the owner: bytes of an entry */
	uint32_t count, capacity, free;
	uint32_t *buckets;
	char *nodes;
};

/* A zeroed entry for the handle; 0: no memory. Entries may move: pointers from before are void. */
void *handle_map_add(struct handle_map *map, uint64_t handle);
/* The handle's first entry, 0 if there is none; and the entry after that one of the same handle. */
void *handle_map_find(const struct handle_map *map, uint64_t handle);
void *handle_map_next(const struct handle_map *map, const void *entry);
void handle_map_remove(struct handle_map *map, void *entry);
/* Forgets everything, in a fork child; the memory is let go. */
void handle_map_clear(struct handle_map *map);

#endif
