/* SPDX-License-Identifier: Apache-2.0 */
/* Reading memory that the target names in a call and that may not be there: the call is to fail then, not we. */
#ifndef TARGET_MEMORY_H
#define TARGET_MEMORY_H

#include <stddef.h>

/* Copies what is there of it and returns its size. One system call; async-signal-safe. */
size_t target_memory_read(const void *address, size_t size, void *copy);

/* The memory itself where that is safe, in the calling thread's own stack above `frame`; else its copy; 0: it is not there. */
const void *target_memory(const void *address, size_t size, const void *frame, void *copy);

#endif
