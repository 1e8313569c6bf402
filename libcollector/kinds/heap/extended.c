/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of what allocators other than libc's add: jemalloc's extended interface, C23's sized frees. Where the
   next library has none of it, a program that finds ours is served by malloc and free. */
#include "heap.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#define FRAME        __builtin_frame_address(0)
#define ALIGNMENT(f) ((f)&63 ? (size_t)1 << ((f)&63) : 0) /* MALLOCX_LG_ALIGN */
#define MALLOCX_ZERO 64

void *mallocx(size_t size, int flags);
void *rallocx(void *block, size_t size, int flags);
size_t xallocx(void *block, size_t size, size_t extra, int flags);
void dallocx(void *block, int flags);
void sdallocx(void *block, size_t size, int flags);
void free_sized(void *block, size_t size);
void free_aligned_sized(void *block, size_t alignment, size_t size);

static void *plain(size_t size, int flags)
{
	if (ALIGNMENT(flags))
		return HEAP_REAL(memalign)(ALIGNMENT(flags), size);
	return flags & MALLOCX_ZERO ? HEAP_REAL(calloc)(1, size) : HEAP_REAL(malloc)(size);
}

static void *recorded(enum state_value what, const void *frame, void *block, size_t size)
{
	if (!heap_on)
		return block;
	if (!block)
		heap_failed(what, frame, size, ENOMEM);
	else if (!heap_is_recorded(block))
		heap_allocated(what, frame, block, size);
	return block;
}

INTERPOSE void *mallocx(size_t size, int flags)
{
	__typeof__(&mallocx) real = HEAP_REAL(mallocx);
	heap_begin(0);
	return recorded(HEAP(malloc), FRAME, real ? real(size, flags) : plain(size, flags), size);
}

INTERPOSE void *rallocx(void *old, size_t size, int flags)
{
	__typeof__(&rallocx) real = HEAP_REAL(rallocx);
	if (heap_on)
		heap_released(FRAME, old);
	heap_begin(old);
	void *block = real ? real(old, size, flags) : HEAP_REAL(realloc)(old, size);
	heap_end();
	if (!block && heap_on)
		heap_range(HEAP(kept), FRAME, (uint64_t)old, 0);
	return recorded(HEAP(realloc), FRAME, block, size);
}

/* In place: the block has a new size or keeps its old one. */
INTERPOSE size_t xallocx(void *block, size_t size, size_t extra, int flags)
{
	__typeof__(&xallocx) real = HEAP_REAL(xallocx);
	if (!real)
		return malloc_usable_size(block);
	size_t now = real(block, size, extra, flags);
	if (heap_on && now >= size) {
		heap_released(FRAME, block);
		heap_allocated(HEAP(realloc), FRAME, block, size);
	}
	return now;
}

/* Releases, where the real function may call free; by free, if there is none. */
#define RELEASE(name, parameters, arguments)                                                                           \
	INTERPOSE void name parameters                                                                                 \
	{                                                                                                              \
		__typeof__(&name) real = HEAP_REAL(name);                                                              \
		if (!block)                                                                                            \
			return;                                                                                        \
		if (heap_on)                                                                                           \
			heap_released(FRAME, block);                                                                   \
		heap_begin(block);                                                                                     \
		if (real)                                                                                              \
			real arguments;                                                                                \
		else                                                                                                   \
			HEAP_REAL(free)(block);                                                                        \
		heap_end();                                                                                            \
	}
RELEASE(dallocx, (void *block, int flags), (block, flags))
RELEASE(sdallocx, (void *block, size_t size, int flags), (block, size, flags))
RELEASE(free_sized, (void *block, size_t size), (block, size))
RELEASE(free_aligned_sized, (void *block, size_t alignment, size_t size), (block, alignment, size))
