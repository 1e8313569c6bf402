/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations before the real functions are known: looking them up may itself allocate. */
#include "heap.h"

#define EARLY_SIZE 65536u
#define UNIT       16u

static unsigned char memory[EARLY_SIZE] __attribute__((aligned(4096)));
static size_t used; /* atomic */

static __thread bool looking_up __attribute__((tls_model("initial-exec")));

void *heap_real(const char *name, void **kept)
{
	if (looking_up)
		return 0;
	looking_up = true;
	void *function = real_function(name, kept);
	looking_up = false;
	return function;
}

/* Its size stands before the block. */
void *early_block(size_t alignment, size_t size)
{
	if (alignment < UNIT)
		alignment = UNIT;
	if (size > EARLY_SIZE || alignment > EARLY_SIZE)
		return 0;
	size_t whole = (size + UNIT + alignment + UNIT - 1) / UNIT * UNIT;
	size_t at = __atomic_fetch_add(&used, whole, __ATOMIC_RELAXED);
	/* The size stays added to `used`: the area is only ever used up once, and another thread may have added
	   since. */
	if (at + whole > EARLY_SIZE)
		return 0;
	uintptr_t block = ((uintptr_t)memory + at + UNIT + alignment - 1) / alignment * alignment;
	*(size_t *)(block - UNIT) = size;
	return (void *)block;
}

bool early_owns(const void *block)
{
	return (uintptr_t)block - (uintptr_t)memory < EARLY_SIZE;
}

size_t early_size(const void *block)
{
	return *(const size_t *)((uintptr_t)block - UNIT);
}
