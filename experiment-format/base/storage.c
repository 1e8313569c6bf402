/* SPDX-License-Identifier: Apache-2.0 */
/* Checked allocation. */
#include "storage.h"
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory)
{
	if (memory)
		return memory;
	fputs("out of memory: read fewer experiments at a time\n", stderr);
	exit(1);
}

void *memory_new(size_t count, size_t size)
{
	return checked(calloc(count ? count : 1, size ? size : 1));
}

void *memory_resize(void *array, size_t count, size_t size)
{
	size_t bytes;
	return checked(__builtin_mul_overflow(count, size, &bytes) ? 0 : realloc(array, bytes));
}

void *memory_room(void *array, size_t count, size_t size)
{
	return count & (count - 1) ? array : memory_resize(array, count ? 2 * count : 1, size);
}

/* Each chunk is twice as large as the one before it, up to the last size. */
enum { CHUNK_FIRST = 2048, CHUNK_LAST = 65536 };

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, size;
	alignas(max_align_t) char bytes[];
};

void *arena_new(struct arena *arena, size_t size)
{
	size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	struct arena_chunk *chunk = arena->chunks;
	if (!chunk || chunk->size - chunk->used < size) {
		size_t capacity = !chunk ? CHUNK_FIRST : chunk->size < CHUNK_LAST ? 2 * chunk->size : CHUNK_LAST;
		capacity = size > capacity ? size : capacity;
		chunk = checked(calloc(1, sizeof(*chunk) + capacity));
		chunk->size = capacity;
		chunk->next = arena->chunks;
		arena->chunks = chunk;
	}
	void *memory = chunk->bytes + chunk->used;
	chunk->used += size;
	return memory;
}

char *arena_string(struct arena *arena, const char *string, size_t size)
{
	char *copy = arena_new(arena, size + 1);
	memcpy(copy, string, size);
	return copy;
}

void arena_free(struct arena *arena)
{
	while (arena->chunks) {
		struct arena_chunk *next = arena->chunks->next;
		free(arena->chunks);
		arena->chunks = next;
	}
}
