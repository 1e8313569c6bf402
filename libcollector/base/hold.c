/* SPDX-License-Identifier: Apache-2.0 */
/* A lock for the collector's rare work. */
#include "hold.h"
#include "system_calls.h"
#include <limits.h>
#include <time.h>

#define WAIT_NANOSECONDS 50000
#define WAITS_SOON       4000

static bool take(struct hold *hold, unsigned waits)
{
	int self = (int)system_call(SYS_gettid);
	for (unsigned waited = 0; waited <= waits; waited++) {
		int holder = 0;
		if (__atomic_compare_exchange_n(
			    &hold->holder, &holder, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return true;
		if (holder == self)
			return false;
		/* Sleep, do not yield: the holder may have a lower priority than real-time callers. */
		struct timespec wait = {.tv_nsec = WAIT_NANOSECONDS};
		system_call(SYS_nanosleep, &wait, 0);
	}
	return false;
}

bool hold_take(struct hold *hold)
{
	return take(hold, UINT_MAX - 1);
}

bool hold_take_soon(struct hold *hold)
{
	return take(hold, WAITS_SOON);
}

bool hold_try(struct hold *hold)
{
	int holder = 0;
	return __atomic_compare_exchange_n(
		&hold->holder, &holder, (int)system_call(SYS_gettid), false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void hold_release(struct hold *hold)
{
	__atomic_store_n(&hold->holder, 0, __ATOMIC_RELEASE);
}
