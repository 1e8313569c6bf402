/* SPDX-License-Identifier: Apache-2.0 */
/* Counter overflow profiling, as the signal handler sees it. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include "system_calls.h"
#include "thread.h"
#include "thread_counters.h"
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <ucontext.h>

/* `thread` is the calling one, or 0. */

/* Whether a signal of OUR_SIGNAL's number is an overflow of one of the thread's counters. */
bool counters_own(const struct thread *thread, const siginfo_t *info);
/* Records it, in the thread that it interrupted. Only in the handler, all signals blocked. */
void counters_overflow(struct thread *thread, const siginfo_t *info, const ucontext_t *context);
/* An overflow that a wait of the target took from the queue before the handler could: counted as lost. */
void counters_skip(const siginfo_t *info);

/* Whether the thread has counters that the kernel may announce by a plain SIGIO, when it can queue no signal. */
bool counters_may_fall_back(const struct thread *thread);
/* Then: records those that have overflowed. */
void counters_overflow_any(struct thread *thread, const ucontext_t *context);

/* Around the work of our handler, which must not be counted: the first and the last that it does. A thread whose counters
   are stopped must not return to the target's code. */
static inline __attribute__((always_inline)) unsigned counters_stop(const struct thread *thread)
{
	unsigned count = thread && thread->counters ? thread->counters->gate_count : 0;
	for (unsigned g = 0; g < count; g++)
		system_call(SYS_ioctl, thread->counters->gates[g], PERF_EVENT_IOC_DISABLE, 0);
	return count;
}
static inline __attribute__((always_inline)) void counters_go_on(const struct thread *thread, unsigned stopped)
{
	for (unsigned g = 0; g < stopped; g++)
		system_call(SYS_ioctl, thread->counters->gates[g], PERF_EVENT_IOC_ENABLE, 0);
}

#endif
