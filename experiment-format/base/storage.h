/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the tools. Without memory there is no report: these end the program with one line, in one place. Sizes are
   bounded by the sizes of the input files, never by numbers in them. Not for libcollector, which does not allocate. */
#ifndef STORAGE_H
#define STORAGE_H

#include <stddef.h>

/* Zeroed memory for `count` elements; the caller frees it. Never 0, even where count or size is. */
void *memory_new(size_t count, size_t size);

/* An array of `count` elements in the place of `array`; new ones are not zeroed. */
void *memory_resize(void *array, size_t count, size_t size);

/* Room for one more element at the end of an array of `count`, which is grown geometrically. Returns the array. */
void *memory_room(void *array, size_t count, size_t size);

/* Makes room for element number `count` of an array whose capacity is kept beside it, by doubling it. */
#define memory_reserve(array, count, capacity)                                                                         \
	((count) < (capacity) ? (void)0                                                                                \
			      : (void)((array) = memory_resize((array), (capacity) = (capacity) ? (capacity)*2 : 16,   \
					       sizeof *(array))))

/* Strings and arrays that die together. */
struct arena {
	struct arena_chunk *chunks;
};
void *arena_new(struct arena *arena, size_t size);
char *arena_string(struct arena *arena, const char *string, size_t size);
void arena_free(struct arena *arena);

#endif
