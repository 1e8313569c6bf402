/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of C++'s operators new and delete, for allocators that bring their own: libstdc++'s call malloc and free,
   which are recorded there. A library that was loaded for itself alone may find ours where no other is: it is served as
   libstdc++ would. */
#include "heap.h"
#include <dlfcn.h>
#include <stdlib.h>

#define FRAME __builtin_frame_address(0)

/* Mangled: m is size_t, St11align_val_t an alignment, RKSt9nothrow_t asks for 0 instead of an exception. */
#define NEW_OPERATORS(X)                                                                                               \
	X(_Znwm, (size_t size), (size), 0, size)                                                                       \
	X(_Znam, (size_t size), (size), 0, size)                                                                       \
	X(_ZnwmSt11align_val_t, (size_t size, size_t alignment), (size, alignment), alignment, size)                   \
	X(_ZnamSt11align_val_t, (size_t size, size_t alignment), (size, alignment), alignment, size)
#define NEW_NOTHROW_OPERATORS(X)                                                                                       \
	X(_ZnwmRKSt9nothrow_t, (size_t size, const void *tag), (size, tag), 0, size)                                   \
	X(_ZnamRKSt9nothrow_t, (size_t size, const void *tag), (size, tag), 0, size)                                   \
	X(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void *tag),                        \
		(size, alignment, tag), alignment, size)                                                               \
	X(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void *tag),                        \
		(size, alignment, tag), alignment, size)
#define DELETE_OPERATORS(X)                                                                                            \
	X(_ZdlPv, (void *block), (block))                                                                              \
	X(_ZdaPv, (void *block), (block))                                                                              \
	X(_ZdlPvm, (void *block, size_t size), (block, size))                                                          \
	X(_ZdaPvm, (void *block, size_t size), (block, size))                                                          \
	X(_ZdlPvRKSt9nothrow_t, (void *block, const void *tag), (block, tag))                                          \
	X(_ZdaPvRKSt9nothrow_t, (void *block, const void *tag), (block, tag))                                          \
	X(_ZdlPvSt11align_val_t, (void *block, size_t alignment), (block, alignment))                                  \
	X(_ZdaPvSt11align_val_t, (void *block, size_t alignment), (block, alignment))                                  \
	X(_ZdlPvmSt11align_val_t, (void *block, size_t size, size_t alignment), (block, size, alignment))              \
	X(_ZdaPvmSt11align_val_t, (void *block, size_t size, size_t alignment), (block, size, alignment))              \
	X(_ZdlPvSt11align_val_tRKSt9nothrow_t, (void *block, size_t alignment, const void *tag),                       \
		(block, alignment, tag))                                                                               \
	X(_ZdaPvSt11align_val_tRKSt9nothrow_t, (void *block, size_t alignment, const void *tag),                       \
		(block, alignment, tag))

/* As libstdc++ does it, but recorded as what it is. */
static void *by_malloc(const void *frame, size_t alignment, size_t size)
{
	void *block = alignment ? HEAP_REAL(aligned_alloc)(alignment, (size + alignment - 1) & ~(alignment - 1))
				: HEAP_REAL(malloc)(size ? size : 1);
	if (heap_on && block)
		heap_allocated(HEAP(new), frame, block, size);
	return block;
}

/* Only what is loaded already can throw the exception. */
static void *fail(size_t size)
{
	void *library = REAL(dlopen)("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
	void *(*throwing)(size_t) = library ? (void *(*)(size_t))dlsym(library, "_Znwm") : 0;
	if (throwing)
		return throwing(size);
	__builtin_trap();
}

/* An allocator's own may call its malloc by our wrapper: then that has recorded the block. */
static void *by_allocator(const void *frame, void *block, size_t size)
{
	if (block && !heap_is_recorded(block))
		heap_allocated(HEAP(new), frame, block, size);
	return block;
}

#define NEW(name, parameters, arguments, alignment, size)                                                              \
	void *name parameters;                                                                                         \
	INTERPOSE void *name parameters                                                                                \
	{                                                                                                              \
		__typeof__(&name) real = HEAP_REAL(name);                                                              \
		if (!real) {                                                                                           \
			void *block = by_malloc(FRAME, alignment, size);                                               \
			return block ? block : fail(size);                                                             \
		}                                                                                                      \
		if (!heap_on || !heap_is_allocator((uintptr_t)real))                                                   \
			return real arguments;                                                                         \
		heap_begin(0);                                                                                         \
		return by_allocator(FRAME, real arguments, size);                                                      \
	}
NEW_OPERATORS(NEW)

#define NEW_NOTHROW(name, parameters, arguments, alignment, size)                                                      \
	void *name parameters;                                                                                         \
	INTERPOSE void *name parameters                                                                                \
	{                                                                                                              \
		__typeof__(&name) real = HEAP_REAL(name);                                                              \
		(void)tag;                                                                                             \
		if (!real)                                                                                             \
			return by_malloc(FRAME, alignment, size);                                                      \
		if (!heap_on || !heap_is_allocator((uintptr_t)real))                                                   \
			return real arguments;                                                                         \
		heap_begin(0);                                                                                         \
		return by_allocator(FRAME, real arguments, size);                                                      \
	}
NEW_NOTHROW_OPERATORS(NEW_NOTHROW)

#define DELETE(name, parameters, arguments)                                                                            \
	void name parameters;                                                                                          \
	INTERPOSE void name parameters                                                                                 \
	{                                                                                                              \
		__typeof__(&name) real = HEAP_REAL(name);                                                              \
		if (real && (!heap_on || !block || !heap_is_allocator((uintptr_t)real))) {                             \
			real arguments;                                                                                \
			return;                                                                                        \
		}                                                                                                      \
		if (heap_on && block)                                                                                  \
			heap_released(FRAME, block);                                                                   \
		heap_begin(block);                                                                                     \
		if (real)                                                                                              \
			real arguments;                                                                                \
		else                                                                                                   \
			HEAP_REAL(free)(block);                                                                        \
		heap_end();                                                                                            \
	}
DELETE_OPERATORS(DELETE)
