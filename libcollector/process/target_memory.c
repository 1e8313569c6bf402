/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the target's memory through the kernel: see target_memory.h. */
#include "target_memory.h"
#include "collector.h"
#include "system_calls.h"
#include "thread.h"
#include <sys/uio.h>

bool target_memory_read(const void *address, size_t size, void *copy)
{
	struct iovec to = {copy, size}, from = {(void *)(uintptr_t)address, size};
	return system_call(SYS_process_vm_readv, collector.process, &to, 1, &from, 1, 0) == (long)size;
}

const void *target_memory(const void *address, size_t size, const void *frame, void *copy)
{
	uintptr_t low = (uintptr_t)address, high = current_thread ? current_thread->stack_high : 0;
	if (low >= (uintptr_t)frame && low < high && size <= high - low)
		return address;
	return address && target_memory_read(address, size, copy) ? copy : 0;
}
