/* SPDX-License-Identifier: Apache-2.0 */
/* Making such a call. */
#include "waiting_calls.h"
#include "interpose.h"
#include "our_signal.h"
#include <unistd.h>

/* Calls that the kernel restarts need not be held. They are held where waits are watched, which does no harm. */
long waiting_call(long number, long a, long b, long c, long d, long e, long f)
{
	bool held = our_signal_hold();
	long result = REAL(syscall)(number, a, b, c, d, e, f);
	our_signal_release(held);
	return result;
}
