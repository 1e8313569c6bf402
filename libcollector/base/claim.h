/* SPDX-License-Identifier: Apache-2.0 */
/* A thread's data are read by the thread itself, whose signals wait meanwhile or find them claimed, or at its end by the closing
   thread, which keeps its claim for ever. Async-signal-safe. */
#ifndef CLAIM_H
#define CLAIM_H

#include "system_calls.h"
#include <stdbool.h>

/* False: another one has the claim. */
static inline bool claim_try(int *claim)
{
	int free = 0;
	return __atomic_compare_exchange_n(claim, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}
static inline void claim_leave(int *claim)
{
	__atomic_store_n(claim, 0, __ATOMIC_RELEASE);
}

/* By the closing thread, while the thread is to finish what it does. False: it did not. */
static inline bool claim_take_over(int *claim)
{
	enum { TRIES = 1000 };
	for (int i = 0; i < TRIES; i++) {
		if (claim_try(claim))
			return true;
		system_call(SYS_sched_yield);
	}
	return false;
}

#endif
