/* SPDX-License-Identifier: Apache-2.0 */
/* Locks in memory that processes share: all of them know such a lock by the file or segment that the memory is of and its place in
   that, whatever its address in each. Where each address lies is looked up in /proc/self/maps and kept by ranges. Lock-free,
   async-signal-safe; errno stays as it is. */
#ifndef SHARED_MEMORY_H
#define SHARED_MEMORY_H

#include "lock_words.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The object of a lock that says that processes share it: OBJECT_SHARED and a hash, or the address itself if its memory is the
   process's own, or is not known. */
uint64_t shared_memory_object(uint64_t address);

static inline __attribute__((always_inline)) uint64_t lock_object(uint64_t address, bool is_shared)
{
	return __builtin_expect(is_shared, 0) ? shared_memory_object(address) : address;
}
/* The number by which waits for a lock, a thread or the like and their wakers find each other; `kind`: one of lock_words.h. */
#define LOCK_OBJECT(kind, object)                                                                                      \
	lock_object((uint64_t)(uintptr_t)(object), is_shared_##kind((const volatile void *)(uintptr_t)(object)))

/* The addresses that are kept lie in here; both are 0 as long as there are none. */
extern struct shared_memory_kept {
	uint64_t low, high;
} shared_memory_kept __attribute__((visibility("hidden")));

void shared_memory_changed_between(uint64_t start, uint64_t end);
/* In a fork child: a thread that has none there may have been about to keep a range. */
void shared_memory_forked(void);
/* After memory was mapped, unmapped or moved: something else may be there. */
static inline void shared_memory_changed(const void *address, size_t size)
{
	if (__builtin_expect((uint64_t)address < __atomic_load_n(&shared_memory_kept.high, __ATOMIC_RELAXED), 0) &&
		(uint64_t)address + size > __atomic_load_n(&shared_memory_kept.low, __ATOMIC_RELAXED))
		shared_memory_changed_between((uint64_t)address, (uint64_t)address + size);
}

#endif
