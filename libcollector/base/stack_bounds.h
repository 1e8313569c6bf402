/* SPDX-License-Identifier: Apache-2.0 */
/* Where the calling thread's stack is. Wherever its stack pointer lies between the two bounds, all from there to the upper one is
   mapped: what reads the stack relies on that. 0, 0: nothing is known for certain. */
#ifndef STACK_BOUNDS_H
#define STACK_BOUNDS_H

#include <pthread.h>
#include <stdint.h>

struct stack_bounds {
	uint64_t low, high;
};

/* Those of a thread that runs on the stack that the kernel made for the process; else 0, 0. */
struct stack_bounds stack_bounds_of_process(void);

/* The stack of a thread that is created with these attributes (0: the default ones): its size, and where it starts if the
   target provides it (0: libc does, with a guard). */
struct stack_wanted {
	uintptr_t start;
	size_t size, guard;
};
struct stack_wanted stack_wanted(const pthread_attr_t *attributes);

/* Those of the calling thread, which was created so. */
struct stack_bounds stack_bounds_of_created(const struct stack_wanted *wanted);

#endif
