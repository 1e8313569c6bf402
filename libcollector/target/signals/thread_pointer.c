/* SPDX-License-Identifier: Apache-2.0 */
/* Knowing thread pointers: those of the threads that are recorded are kept in a table, any other is looked at. */
#include "thread_pointer.h"
#include "memory.h"
#include "system_calls.h"
#include <sys/auxv.h>

/* Sources of these: Linux, arch/x86/include/uapi/asm/{hwcap2,prctl}.h. */
#define HWCAP2_HAS_FSGSBASE (1ul << 1)
#define PRCTL_GET_FS        0x1003

enum { TABLE_BITS = 13, TRIES = 16 };

static uintptr_t known[1 << TABLE_BITS]; /* atomic; 0: free */
static bool is_readable;                 /* by an instruction, not by the kernel alone */

#if defined(__x86_64__)
static uintptr_t read_pointer(void)
{
	uintptr_t pointer = 0;
	if (is_readable)
		__asm__ volatile("rdfsbase %0" : "=r"(pointer));
	else
		system_call(SYS_arch_prctl, PRCTL_GET_FS, &pointer);
	return pointer;
}

/* Where it is libc's, it points to itself: no need to ask the kernel. */
static uintptr_t libcs_pointer(void)
{
	uintptr_t pointer;
	__asm__ volatile("mov %%fs:0, %0" : "=r"(pointer));
	return pointer;
}

/* The thread's descriptor of libc begins with its own address, and has it again in the third word. */
static bool is_descriptor(uintptr_t pointer)
{
	struct memory memory = {.span = 0};
	uint64_t first, third;
	return memory_read(&memory, pointer, &first) && memory_read(&memory, pointer + 16, &third) &&
	       first == pointer && third == pointer;
}
#elif defined(__aarch64__)
static uintptr_t read_pointer(void)
{
	uintptr_t pointer;
	__asm__ volatile("mrs %0, tpidr_el0" : "=r"(pointer));
	return pointer;
}

static uintptr_t libcs_pointer(void)
{
	return read_pointer();
}

/* The memory that it points to does not tell. Go leaves the register to libc there. */
static bool is_descriptor(uintptr_t pointer)
{
	return pointer != 0;
}
#endif

void thread_pointer_start(void)
{
	is_readable = getauxval(AT_HWCAP2) & HWCAP2_HAS_FSGSBASE;
}

static uintptr_t *place(uintptr_t pointer, unsigned attempt)
{
	uint64_t hash = (pointer * 0x9E3779B97F4A7C15ull) >> (64 - TABLE_BITS);
	return &known[(hash + attempt) % (1 << TABLE_BITS)];
}

/* A table without a free place there only costs time: the pointer is looked at each time. */
void thread_pointer_remember(void)
{
	uintptr_t pointer = libcs_pointer(), empty = 0;
	for (unsigned i = 0; i < TRIES; i++, empty = 0)
		if (__atomic_compare_exchange_n(
			    place(pointer, i), &empty, pointer, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
			empty == pointer)
			return;
}

void thread_pointer_forget(void)
{
	uintptr_t pointer = libcs_pointer();
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
