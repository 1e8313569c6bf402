/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the target's memory during a walk without ever faulting: inside the thread's own stack, above the stack pointer,
   by plain loads; anywhere else only after the kernel has said that the page can be read. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of a stack as it was at a moment that is past. */
struct stack_copy {
	uint64_t low, size; /* it began at low, was the innermost part, and is at `bytes` now */
	const char *bytes;
	uint64_t unchanged; /* from this address on the stack is still as it was; 0: nothing is known */
	uint64_t until;     /* and up to that one */
	uint32_t most;      /* so many frames are enough; 0: there is no limit of its own */
	uint64_t time;      /* of that moment, CLOCK_MONOTONIC in ns; 0: now */
};

struct memory {
	uint64_t low, span;             /* plain loads of words from low to low + span */
	uint64_t stack_low, stack_high; /* the thread's stack; 0, 0: not known */
	uint64_t pages[4];              /* readable ones, asked last */
	bool probed;                    /* something was read outside the stack */
	bool later;                     /* of a copy: something was read where the stack is now */
	bool missing;                   /* of a copy: something was needed that it does not have */
	const struct stack_copy *copy;  /* 0: the stack is read itself */
};

#define MEMORY_PAGE_SHIFT 12 /* the smallest page: larger ones are asked for more often than needed */

/* Whether both addresses can be read if one of them can. */
static inline bool memory_same_page(uint64_t one, uint64_t other)
{
	return one >> MEMORY_PAGE_SHIFT == other >> MEMORY_PAGE_SHIFT;
}

#define MEMORY_LOAD(address) (*(const volatile uint64_t *)(address))

/* Plain loads are right from sp to the end of the stack: what lies there is in use, so it is mapped. */
static inline void memory_bounds(struct memory *memory, uint64_t sp)
{
	memory->low = memory->span = 0;
	if (!memory->copy && sp - memory->stack_low < memory->stack_high - memory->stack_low &&
		memory->stack_high - sp > 7) {
		memory->low = sp;
		memory->span = memory->stack_high - sp - 7;
	}
}

bool memory_read_elsewhere(struct memory *memory, uint64_t address, uint64_t *value);

/* Reads a word. False: it cannot be read. */
static inline bool memory_read(struct memory *memory, uint64_t address, uint64_t *value)
{
	if (__builtin_expect(address - memory->low < memory->span, 1)) {
		*value = MEMORY_LOAD(address);
		return true;
	}
	return memory_read_elsewhere(memory, address, value);
}

/* The words from an address on, for reading them later. 0: they cannot be read. */
const uint64_t *memory_words(struct memory *memory, uint64_t address, size_t count);

/* Reads bytes (of code, for instance). False: they cannot be read. */
bool memory_read_bytes(struct memory *memory, uint64_t address, void *bytes, size_t size);

#endif
