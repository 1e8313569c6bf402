/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of libc's functions that give and take blocks. reallocarray, strdup and the like call these. */
#include "heap.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#define FRAME __builtin_frame_address(0)

static inline void *allocated(enum state_value what, const void *frame, void *block, size_t size)
{
	if (__builtin_expect(block != 0, 1))
		heap_allocated(what, frame, block, size);
	else if (size)
		heap_failed(what, frame, size, errno);
	return block;
}

INTERPOSE void *malloc(size_t size)
{
	__typeof__(&malloc) real = HEAP_REAL(malloc);
	if (__builtin_expect(!real, 0))
		return early_block(1, size);
	if (!heap_on)
		return real(size);
	return allocated(HEAP(malloc), FRAME, real(size), size);
}

/* How we know who else is called malloc. gcc wants an alias to have its target's attributes, clang knows no way to say so. */
#if __has_attribute(copy)
#define LIKE(function) copy(function),
#else
#define LIKE(function)
#endif
extern __typeof__(malloc) heap_our_malloc __attribute__((alias("malloc"), LIKE(malloc) visibility("hidden")));

INTERPOSE void *calloc(size_t count, size_t size)
{
	__typeof__(&calloc) real = HEAP_REAL(calloc);
	size_t bytes;
	bool overflow = __builtin_mul_overflow(count, size, &bytes);
	if (__builtin_expect(!real, 0))
		return overflow ? 0 : early_block(1, bytes);
	if (!heap_on)
		return real(count, size);
	heap_begin(0);
	void *block = real(count, size);
	return block && heap_is_recorded(block) ? block
						: allocated(HEAP(calloc), FRAME, block, overflow ? SIZE_MAX : bytes);
}

/* libc's realloc() would take a block that is not its own for damage and abort the target. */
static void *leave_early(void *(*allocate)(size_t), const void *block, size_t size)
{
	void *fresh = allocate ? allocate(size) : early_block(1, size);
	size_t old = early_size(block);
	if (fresh)
		memcpy(fresh, block, old < size ? old : size);
	return fresh;
}

/* The old block's release is recorded first, and taken back if the call fails. A size of 0 releases, too, if no block is
   returned. */
static void *reallocated(const void *frame, void *(*real)(void *, size_t), void *old, size_t size)
{
	if (old)
		heap_released(frame, old);
	heap_begin(old);
	void *block = real(old, size);
	bool recorded = block && heap_is_recorded(block);
	heap_end();
	if (recorded || (!block && old && !size))
		return block;
	if (!block && old)
		heap_range(HEAP(kept), frame, (uint64_t)old, 0);
	return allocated(HEAP(realloc), frame, block, size);
}

INTERPOSE void *realloc(void *old, size_t size)
{
	__typeof__(&realloc) real = HEAP_REAL(realloc);
	if (__builtin_expect(!real || early_owns(old), 0))
		return old ? leave_early(HEAP_REAL(malloc), old, size) : early_block(1, size);
	if (!heap_on)
		return real(old, size);
	return reallocated(FRAME, real, old, size);
}

INTERPOSE void free(void *block)
{
	__typeof__(&free) real = HEAP_REAL(free);
	if (__builtin_expect(!real || early_owns(block), 0))
		return;
	if (heap_on && block)
		heap_released(FRAME, block);
	real(block);
}

/* Exported by libc under an old version only, for programs that were linked long ago. */
void cfree(void *block);
INTERPOSE void cfree(void *block)
{
	if (early_owns(block))
		return;
	if (heap_on && block)
		heap_released(FRAME, block);
	HEAP_REAL(free)(block);
}

static inline void *aligned(const void *frame, void *block, size_t size)
{
	return block && heap_is_recorded(block) ? block : allocated(HEAP(memalign), frame, block, size);
}

#define ALIGNED(name)                                                                                                  \
	INTERPOSE void *name(size_t alignment, size_t size)                                                            \
	{                                                                                                              \
		__typeof__(&name) real = HEAP_REAL(name);                                                              \
		if (__builtin_expect(!real, 0))                                                                        \
			return early_block(alignment, size);                                                           \
		if (!heap_on)                                                                                          \
			return real(alignment, size);                                                                  \
		heap_begin(0);                                                                                         \
		return aligned(FRAME, real(alignment, size), size);                                                    \
	}
ALIGNED(memalign)
ALIGNED(aligned_alloc)

#define PAGES(name)                                                                                                    \
	INTERPOSE void *name(size_t size)                                                                              \
	{                                                                                                              \
		__typeof__(&name) real = HEAP_REAL(name);                                                              \
		if (__builtin_expect(!real, 0))                                                                        \
			return early_block(4096, size);                                                                \
		if (!heap_on)                                                                                          \
			return real(size);                                                                             \
		heap_begin(0);                                                                                         \
		return aligned(FRAME, real(size), size);                                                               \
	}
PAGES(valloc)
PAGES(pvalloc)

INTERPOSE int posix_memalign(void **block, size_t alignment, size_t size)
{
	__typeof__(&posix_memalign) real = HEAP_REAL(posix_memalign);
	if (__builtin_expect(!real, 0))
		return (*block = early_block(alignment, size)) ? 0 : ENOMEM;
	if (!heap_on)
		return real(block, alignment, size);
	heap_begin(0);
	int error = real(block, alignment, size);
	if (error)
		heap_failed(HEAP(memalign), FRAME, size, error);
	else if (*block && !heap_is_recorded(*block))
		heap_allocated(HEAP(memalign), FRAME, *block, size);
	return error;
}
