/* SPDX-License-Identifier: Apache-2.0 */
/* Where the calling thread's stack is. */
#ifndef STACK_BOUNDS_H
#define STACK_BOUNDS_H

#include <stdint.h>

/* Sets the bounds of the calling thread's stack: everything between its stack pointer and *high is mapped; *low is where it
   may grow to at most. Without malloc, files or locks (which pthread_getattr_np needs); 0, 0 if not known. */
void stack_bounds(uintptr_t *low, uintptr_t *high);

#endif
