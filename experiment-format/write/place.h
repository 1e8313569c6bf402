/* SPDX-License-Identifier: Apache-2.0 */
/* Where our memory lies in other people's programs: a stretch of addresses that the kernel gives nobody who leaves the
   choice to it, until the 32 GB above are full. A program may unmap a part of what is its own and map something there again
   (MAP_FIXED), sure that nobody else took it meanwhile. We must not be there either. No address space is reserved.
   Async-signal-safe, for all threads. */
#ifndef PLACE_H
#define PLACE_H

#include <stddef.h>
#include <stdint.h>

/* As mmap without an address; `flags` without MAP_FIXED. See sys_failed(). */
void *place_map(size_t size, int protection, int flags, int fd, uint64_t offset);

#endif
