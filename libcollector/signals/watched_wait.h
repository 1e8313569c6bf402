/* SPDX-License-Identifier: Apache-2.0 */
/* Telling that a call of the target that may wait begins and has ended, to whom wants to know. */
#ifndef WATCHED_WAIT_H
#define WATCHED_WAIT_H

#include <linux/futex.h>
#include <stdbool.h>
#include <sys/syscall.h>

struct wait_watcher {
	void (*begun)(void);
	/* From `unchanged` on the stack is as it was when the call began. In that call's frame or within. errno stays as it is. */
	void (*ended)(const void *unchanged);
};
extern struct wait_watcher wait_watcher __attribute__((visibility("hidden"))); /* 0, 0: nobody does */

static inline void wait_begun(void)
{
	if (__builtin_expect(wait_watcher.begun != 0, 0))
		wait_watcher.begun();
}

static inline void wait_ended(const void *unchanged)
{
	if (__builtin_expect(wait_watcher.ended != 0, 0))
		wait_watcher.ended(unchanged);
}

/* Whether a system call that the target makes itself is one of waiting_calls.def. */
static inline bool call_may_wait(long number)
{
	switch (number) {
#define CALL(name, restarts) case SYS_##name:
#include "waiting_calls.def"
		return true;
	default:
		return false;
	}
}

/* A lock's wait without a timeout, or no wait at all. */
static inline bool futex_restarts(const long arguments[])
{
	long operation = arguments[1] & FUTEX_CMD_MASK;
	return (operation != FUTEX_WAIT && operation != FUTEX_WAIT_BITSET) || !arguments[3];
}

/* Whether the kernel goes on with such a call after a signal. */
static inline bool wait_restarts(long number, const long arguments[])
{
	switch (number) {
#define CALL(name, restarts)                                                                                           \
	case SYS_##name:                                                                                               \
		return restarts;
#include "waiting_calls.def"
	default:
		return true;
	}
}

#endif
