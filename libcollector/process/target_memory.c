/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the target's memory through the kernel: see target_memory.h. */
#include "target_memory.h"
#include "collector.h"
#include "system_calls.h"
#include "thread.h"
#include <sys/uio.h>

size_t target_memory_read(const void *address, size_t size, void *copy)
{
	struct iovec to = {copy, size}, from = {(void *)(uintptr_t)address, size};
	long got = system_call(SYS_process_vm_readv, collector.process, &to, 1, &from, 1, 0);
	return got > 0 ? (size_t)got : 0;
}

/* A coroutine's stack is elsewhere, and what lies between need not be there. */
static bool is_in_own_stack(uintptr_t low, size_t size, uintptr_t frame)
{
	const struct thread *thread = current_thread;
	return thread && thread->stack_low && frame >= thread->stack_low && low >= frame && low < thread->stack_high &&
	       size <= thread->stack_high - low;
}

const void *target_memory(const void *address, size_t size, const void *frame, void *copy)
{
	if (is_in_own_stack((uintptr_t)address, size, (uintptr_t)frame))
		return address;
	return address && target_memory_read(address, size, copy) == size ? copy : 0;
}
