/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the reader. Without memory there is no report: these end the program with one line, in one place. Sizes are
   bounded by the sizes of the input files, never by numbers in them. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>

/* Zeroed. The caller frees. */
void *memory_new(size_t count, size_t size);

/* An array of `count` elements in the place of `array`; new ones are not zeroed. */
void *memory_resize(void *array, size_t count, size_t size);

/* Room for one more element at the end of an array of `count`, which is grown geometrically. Returns the array. */
void *memory_room(void *array, size_t count, size_t size);

/* Strings and arrays that die together. */
struct arena {
	struct arena_chunk *chunks;
};
void *arena_new(struct arena *arena, size_t size);
char *arena_string(struct arena *arena, const char *string, size_t size);
void arena_free(struct arena *arena);

#endif
