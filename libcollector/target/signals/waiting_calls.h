/* SPDX-License-Identifier: Apache-2.0 */
/* The waits among the system calls that the target makes itself, by syscall(): waiting_calls.def. */
#ifndef WAITING_CALLS_H
#define WAITING_CALLS_H

#include "watched_wait.h"
#include <linux/futex.h>
#include <stdbool.h>
#include <sys/syscall.h>

/* A lock's wait without a timeout, or no wait at all. */
static inline bool futex_restarts(long operation, long timeout)
{
	operation &= FUTEX_CMD_MASK;
	return (operation != FUTEX_WAIT && operation != FUTEX_WAIT_BITSET) || !timeout;
}

/* Whether a call is to be made by waiting_call(). */
static inline bool waiting_call_is(long number)
{
	switch (number) {
#define CALL(name, state, restarts)                                                                                    \
	case SYS_##name:                                                                                               \
		return true;
#include "waiting_calls.def"
	default:
		return false;
	}
}

/* Whether our signal is held back meanwhile: the kernel does not restart it after a signal, or somebody watches waits. b and d: the
   second and fourth argument. */
static inline bool waiting_call_is_held(long number, long b, long d)
{
	switch (number) {
#define CALL(name, state, restarts)                                                                                    \
	case SYS_##name:                                                                                               \
		return wait_watcher.begun || !(restarts);
#include "waiting_calls.def"
	default:
		return false;
	}
}

/* Makes it by libc's function. Its result; errno is the call's. */
long waiting_call(long number, long a, long b, long c, long d, long e, long f);

#endif
