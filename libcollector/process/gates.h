/* SPDX-License-Identifier: Apache-2.0 */
/* Gates: perf events of a thread by which all that it counts is stopped, so that the work of our handlers is not counted. */
#ifndef GATES_H
#define GATES_H

#include "system_calls.h"
#include "thread.h"
#include <linux/perf_event.h>
#include <sys/ioctl.h>

#define GATES_MAX 4u

struct thread_gates {
	unsigned count;
	int descriptor[GATES_MAX]; /* atomic, each */
};

/* The first and the last that a handler of ours does; `thread` is the calling one, or 0. A thread whose gates are shut must not
   return to the target's code. Returns how many were shut. */
static inline __attribute__((always_inline)) unsigned gates_shut(const struct thread *thread)
{
	unsigned count = thread && thread->gates ? thread->gates->count : 0;
	for (unsigned g = 0; g < count; g++)
		system_call(SYS_ioctl, thread->gates->descriptor[g], PERF_EVENT_IOC_DISABLE, 0);
	return count;
}
static inline __attribute__((always_inline)) void gates_open(const struct thread *thread, unsigned shut)
{
	for (unsigned g = 0; g < shut; g++)
		system_call(SYS_ioctl, thread->gates->descriptor[g], PERF_EVENT_IOC_ENABLE, 0);
}

#endif
