/* SPDX-License-Identifier: Apache-2.0 */
/* Code of files that programs map without the loader, as V8 maps its own text a second time: noticed where it is mapped and
   unmapped by libc's functions, or when a tick hits it. */
#ifndef MAPPED_CODE_H
#define MAPPED_CODE_H

#include "load_objects.h"
#include <stddef.h>
#include <stdint.h>

/* After code of a file was mapped. errno is left alone, here and below. */
void mapped_code_update(void);

void mapped_code_unmapped(uint64_t address, uint64_t size);
/* After memory was unmapped or moved. */
static inline void mapped_code_after_unmap(const void *address, size_t size)
{
	uint64_t high = __atomic_load_n(&load_objects_unlisted.high, __ATOMIC_RELAXED);
	if (__builtin_expect(
		    (uint64_t)address < high &&
			    (uint64_t)address + size > __atomic_load_n(&load_objects_unlisted.low, __ATOMIC_RELAXED),
		    0))
		mapped_code_unmapped((uint64_t)address, size);
}

/* A tick hit this address. Only in handlers of ours. */
void mapped_code_tick(uint64_t pc);

#endif
