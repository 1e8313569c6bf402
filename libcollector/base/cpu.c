/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel keeps the number up to date in the thread's area for restartable sequences, before each return to user mode. */
#include "cpu.h"
#include "system_calls.h"
#include <linux/rseq.h>

extern const ptrdiff_t __rseq_offset; /* from the thread pointer; both by libc, where it has them */
extern const unsigned __rseq_size;    /* 0: libc has registered none */
#pragma weak __rseq_offset
#pragma weak __rseq_size

__attribute__((hot)) uint32_t current_cpu(void)
{
	/* A load in place of a system call, at every event. */
	if (&__rseq_size && &__rseq_offset && __rseq_size) {
		const struct rseq *area =
			(const struct rseq *)((const char *)__builtin_thread_pointer() + __rseq_offset);
		uint32_t cpu = __atomic_load_n(&area->cpu_id, __ATOMIC_RELAXED);
		if ((int)cpu >= 0) /* else the thread has none */
			return cpu;
	}
	return current_cpu_by_kernel();
}

uint32_t current_cpu_by_kernel(void)
{
	unsigned cpu = 0;
	system_call(SYS_getcpu, &cpu, 0, 0);
	return cpu;
}
