/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of er_print: the reader's checked allocation and arenas, and arrays whose capacity is kept beside them. */
#ifndef STORAGE_H
#define STORAGE_H

#include "memory.h"

/* Zeroed memory for `count` elements; the caller frees it. Never 0. */
static inline void *memory_get(size_t count, size_t size)
{
	return memory_new(count, size ? size : 1);
}

/* Makes room for element number `count` of an array with a capacity, doubling it. */
#define memory_reserve(array, count, capacity)                                                                         \
	((count) < (capacity) ? (void)0                                                                                \
			      : (void)((array) = memory_resize((array), (capacity) = (capacity) ? (capacity)*2 : 16,   \
					       sizeof *(array))))

#endif
