/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the calls that give the CPU away: a thread that makes one could run all the while. */
#include "blocking_call.h"
#include "interpose.h"
#include <sched.h>
#include <threads.h>

int __sched_yield(void);

INTERPOSE int sched_yield(void)
{
	return BLOCKING_CALL(int, STATE_RUNNABLE, REAL(sched_yield)());
}

INTERPOSE int __sched_yield(void)
{
	return BLOCKING_CALL(int, STATE_RUNNABLE, REAL(__sched_yield)());
}

INTERPOSE void thrd_yield(void)
{
	(void)BLOCKING_CALL(int, STATE_RUNNABLE, (REAL(thrd_yield)(), 0));
}
