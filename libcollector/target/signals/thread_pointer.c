/* SPDX-License-Identifier: Apache-2.0 */
/* Knowing thread pointers: those of the threads that are recorded are kept in a table, any other is looked at. */
#include "thread_pointer.h"
#include "architecture.h"
#include "memory.h"
#include "system_calls.h"
#include <sys/auxv.h>

enum { TABLE_BITS = 13, TRIES = 16 };

static uintptr_t known[1 << TABLE_BITS]; /* atomic; 0: free */
static bool is_readable;                 /* by an instruction, not by the kernel alone */

static uintptr_t read_pointer(void)
{
	if (is_readable)
		return thread_pointer_by_instruction();
	uintptr_t pointer = 0;
	THREAD_POINTER_BY_KERNEL(&pointer);
	return pointer;
}

static bool is_descriptor(uintptr_t pointer)
{
	if (!THREAD_DESCRIPTOR_NAMES_ITSELF)
		return pointer != 0;
	struct memory memory = {.span = 0};
	uint64_t first, third;
	return memory_read(&memory, pointer, &first) && memory_read(&memory, pointer + 16, &third) &&
	       first == pointer && third == pointer;
}

void thread_pointer_start(void)
{
	is_readable = HAS_THREAD_POINTER_INSTRUCTION;
}

static uintptr_t *place(uintptr_t pointer, unsigned attempt)
{
	uint64_t hash = (pointer * 0x9E3779B97F4A7C15ull) >> (64 - TABLE_BITS);
	return &known[(hash + attempt) % (1 << TABLE_BITS)];
}

/* A table without a free place there only costs time: the pointer is looked at each time. */
void thread_pointer_remember(void)
{
	uintptr_t pointer = thread_pointer_of_libc(), empty = 0;
	for (unsigned i = 0; i < TRIES; i++, empty = 0)
		if (__atomic_compare_exchange_n(
			    place(pointer, i), &empty, pointer, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
			empty == pointer)
			return;
}

void thread_pointer_forget(void)
{
	uintptr_t pointer = thread_pointer_of_libc();
	for (unsigned i = 0; i < TRIES; i++) {
		uintptr_t found = pointer;
		__atomic_compare_exchange_n(place(pointer, i), &found, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	}
}

bool thread_pointer_is_libcs(void)
{
	uintptr_t pointer = read_pointer();
	if (!pointer)
		return false;
	for (unsigned i = 0; i < TRIES; i++)
		if (__atomic_load_n(place(pointer, i), __ATOMIC_RELAXED) == pointer)
			return true;
	return is_descriptor(pointer);
}
