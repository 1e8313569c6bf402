/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of what the program gets from the kernel by itself: mmap, mremap, munmap, brk, sbrk, shmat. What an allocator
   gets so for itself is its growth. */
#include "growth.h"
#include "heap.h"
#include "mapped_code.h"
#include "shared_memory.h"
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#define FRAME  __builtin_frame_address(0)
#define CALLER ((uintptr_t)__builtin_return_address(0))

enum { PAGE = 4096 }; /* the smallest there is: what is not aligned to it, no kernel unmaps */

static bool can_be_unmapped(const void *address, size_t size)
{
	return size && (uintptr_t)address % PAGE == 0;
}

static void *mapped(const void *frame, uintptr_t caller, void *address, size_t size)
{
	bool growth = heap_is_allocator(caller);
	if (address == MAP_FAILED)
		heap_failed(growth ? HEAP(growth) : HEAP(mmap), frame, size, errno);
	else if (growth)
		heap_range(HEAP(growth), frame, (uint64_t)address, size);
	else
		heap_allocated(HEAP(mmap), frame, address, size);
	return address;
}

/* Rare: the loader maps by calls of its own. */
static inline bool is_code_of_file(const void *address, int protection, int fd)
{
	return __builtin_expect((protection & PROT_EXEC) && fd >= 0 && address != MAP_FAILED, 0);
}

/* After the memory was unmapped or moved. */
static inline void changed(const void *address, size_t size)
{
	mapped_code_after_unmap(address, size);
	shared_memory_changed(address, size);
}

#define MAP(name)                                                                                                      \
	INTERPOSE void *name(void *address, size_t size, int protection, int flags, int fd, off_t offset)              \
	{                                                                                                              \
		void *there = REAL(name)(address, size, protection, flags, fd, offset);                                \
		if (is_code_of_file(there, protection, fd))                                                            \
			mapped_code_update();                                                                          \
		if (there != MAP_FAILED && (flags & (MAP_SHARED | MAP_FIXED)))                                         \
			shared_memory_changed(there, size);                                                            \
		return heap_on ? mapped(FRAME, CALLER, there, size) : there;                                           \
	}
MAP(mmap)
MAP(mmap64)

INTERPOSE int munmap(void *address, size_t size)
{
	if (!heap_on) {
		int unmapped = REAL(munmap)(address, size);
		changed(address, size);
		return unmapped;
	}
	/* The release is recorded before the call: once the pages are free, another thread may get them, and its event must come
	   later. */
	bool growth = heap_is_allocator(CALLER), release = can_be_unmapped(address, size);
	if (release)
		heap_range(growth ? HEAP(shrink) : HEAP(unmap), FRAME, (uint64_t)address, size);
	int result = REAL(munmap)(address, size);
	changed(address, size);
	if (result && release && !growth)
		heap_range(HEAP(kept), FRAME, (uint64_t)address, size);
	return result;
}

/* Whether mremap takes the old place away. */
static bool leaves(const void *old, size_t old_size, int flags)
{
#ifdef MREMAP_DONTUNMAP
	if (flags & MREMAP_DONTUNMAP)
		return false;
#else
	(void)flags;
#endif
	return can_be_unmapped(old, old_size);
}

INTERPOSE void *mremap(void *old, size_t old_size, size_t size, int flags, ...)
{
	va_list list;
	va_start(list, flags);
	void *wanted = flags & MREMAP_FIXED ? va_arg(list, void *) : 0;
	va_end(list);
	if (!heap_on || heap_is_allocator(CALLER)) {
		void *moved_to = REAL(mremap)(old, old_size, size, flags, wanted);
		changed(old, old_size);
		return moved_to;
	}
	bool release = leaves(old, old_size, flags);
	if (release)
		heap_range(HEAP(unmap), FRAME, (uint64_t)old, old_size);
	void *address = REAL(mremap)(old, old_size, size, flags, wanted);
	changed(old, old_size);
	if (address != MAP_FAILED) {
		heap_allocated(HEAP(mremap), FRAME, address, size);
	} else {
		int error = errno;
		if (release)
			heap_range(HEAP(kept), FRAME, (uint64_t)old, old_size);
		heap_failed(HEAP(mremap), FRAME, size, error);
	}
	return address;
}

/* Segments of System V are no memory of the heap. */
INTERPOSE void *shmat(int id, const void *wanted, int flags)
{
	void *there = REAL(shmat)(id, wanted, flags);
	if (there != MAP_FAILED)
		shared_memory_changed(there, PAGE);
	return there;
}

INTERPOSE int shmdt(const void *address)
{
	int result = REAL(shmdt)(address);
	if (!result)
		shared_memory_changed(address, PAGE);
	return result;
}

/* The break was asked to move; `before`: where it was. */
static void moved(const void *frame, uintptr_t caller, char *before, char *after)
{
	bool growth = heap_is_allocator(caller);
	growth_forget();
	if (after > before && growth)
		heap_range(HEAP(growth), frame, (uint64_t)before, (size_t)(after - before));
	else if (after > before)
		heap_allocated(HEAP(brk), frame, before, (size_t)(after - before));
	else if (after < before)
		heap_range(growth ? HEAP(shrink) : HEAP(unmap), frame, (uint64_t)after, (size_t)(before - after));
}

/* Memory that malloc has got since the last look is its own. */
static void look(const void *frame)
{
	struct growth growth;
	if (growth_seen(&growth))
		heap_range(growth.what, growth.what == HEAP(growth) ? frame : 0, growth.address, growth.size);
}

INTERPOSE void *sbrk(intptr_t increment)
{
	if (!heap_on)
		return REAL(sbrk)(increment);
	look(FRAME);
	char *before = REAL(sbrk)(increment);
	if (before != (void *)-1)
		moved(FRAME, CALLER, before, before + increment);
	else if (increment > 0)
		heap_failed(HEAP(brk), FRAME, (size_t)increment, errno);
	return before;
}

INTERPOSE int brk(void *end)
{
	if (!heap_on)
		return REAL(brk)(end);
	look(FRAME);
	char *before = REAL(sbrk)(0);
	int result = REAL(brk)(end);
	if (!result)
		moved(FRAME, CALLER, before, end);
	else if ((char *)end > before)
		heap_failed(HEAP(brk), FRAME, (size_t)((char *)end - before), errno);
	return result;
}
