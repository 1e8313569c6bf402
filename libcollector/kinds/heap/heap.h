/* SPDX-License-Identifier: Apache-2.0 */
/* The heap kind: what the target allocates and releases, each event with its stack. A release is recorded before the real
   function is called, an allocation after it has returned: so by time an address is always released before it is allocated
   again, whichever threads do it. Where the real function calls another one of the family, the inner call is recorded. */
#ifndef HEAP_H
#define HEAP_H

#include "interpose.h"
#include "kinds.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HEAP(name) STATE_VALUE(HEAP, what, name)

/* This image has the heap kind: the functions below do something. */
extern bool heap_on;

/* A wrapper calls these to record; frame_address is its own __builtin_frame_address(0). All keep errno. */
void heap_allocated(enum state_value what, const void *frame_address, const void *block, size_t size);
void heap_failed(enum state_value what, const void *frame_address, size_t size, int error);
void heap_released(const void *frame_address, const void *block);
/* UNMAP, KEPT, GROWTH. */
void heap_range(enum state_value what, const void *frame_address, uint64_t address, size_t size);

/* Around the real function, where it may call others of the family: after heap_begin(), heap_is_recorded() tells that an
   inner call has returned this block, and the release of `releasing` (0: none) is not recorded again until heap_end(). */
void heap_begin(const void *releasing);
bool heap_is_recorded(const void *block);
void heap_end(void);

/* Whether code at this address is the allocator's: a library that is not libc and brings its own malloc. */
bool heap_is_allocator(uintptr_t address);

/* The real function, or 0 while it is being looked up, which may allocate. */
void *heap_real(const char *name, void **kept);
#define HEAP_REAL(function_)                                                                                           \
	({                                                                                                             \
		extern struct real_function real_##function_ __attribute__((visibility("hidden")));                    \
		REAL_ENTRY(function_);                                                                                 \
		void *kept_ = __atomic_load_n(&real_##function_.function, __ATOMIC_RELAXED);                           \
		if (__builtin_expect(!kept_, 0))                                                                       \
			kept_ = heap_real(real_##function_.name, &real_##function_.function);                          \
		(__typeof__(&function_))kept_;                                                                         \
	})

/* Blocks for who asks before there is a real function; never given back. 0: no more. */
void *early_block(size_t alignment, size_t size);
bool early_owns(const void *block);
size_t early_size(const void *block);

#endif
