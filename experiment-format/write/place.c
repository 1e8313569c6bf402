/* SPDX-License-Identifier: Apache-2.0 */
/* Takes one place after the other, from a base below this library: see place.h. */
#include "place.h"
#include "file_space.h"
#include "system_calls.h"
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE /* Linux 4.17; for kernels before it the address is a wish */
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define GIGABYTE 0x40000000ull
/* The kernel maps downwards from near the top, where this library is as well. */
#define DISTANCE (64 * GIGABYTE)
#define EXTENT   (32 * GIGABYTE)
/* Places that may be taken already, as the addresses are used again after EXTENT, before the kernel may choose. */
#define TRIES 64

static uint64_t used; /* atomic: bytes of places taken so far in this image */

static uint64_t base(void)
{
	uint64_t here = (uint64_t)(uintptr_t)&used & ~(file_space_page_size() - 1);
	return here > 2 * DISTANCE ? here - DISTANCE : 0;
}

void *place_map(size_t size, int protection, int flags, int fd, uint64_t offset)
{
	uint64_t start = base(), page = file_space_page_size(), length = (size + page - 1) & ~(page - 1);
	for (unsigned i = 0; start && length < EXTENT / 2 && i < TRIES; i++) {
		uint64_t at = __atomic_fetch_add(&used, length, __ATOMIC_RELAXED) % EXTENT;
		if (at + length > EXTENT)
			continue;
		void *mapped = sys_mmap(
			(void *)(uintptr_t)(start + at), size, protection, flags | MAP_FIXED_NOREPLACE, fd, offset);
		if (!sys_failed(mapped) || (long)mapped != -EEXIST)
			return mapped;
	}
	return sys_mmap(0, size, protection, flags, fd, offset);
}
