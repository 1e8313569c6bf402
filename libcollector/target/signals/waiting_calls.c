/* SPDX-License-Identifier: Apache-2.0 */
/* Making such a call. */
#include "waiting_calls.h"
#include "blocking_call.h"
#include "interpose.h"
#include "our_signal.h"
#include <unistd.h>

static enum thread_state state_of(long number)
{
	switch (number) {
#define CALL(name, state, restarts)                                                                                    \
	case SYS_##name:                                                                                               \
		return STATE_##state;
#include "waiting_calls.def"
	default:
		return STATE_BLOCKED;
	}
}

static long call(long number, long a, long b, long c, long d, long e, long f)
{
	bool held = waiting_call_is_held(number, b, d) && our_signal_hold();
	long result = REAL(syscall)(number, a, b, c, d, e, f);
	our_signal_release(held);
	return result;
}

long waiting_call(long number, long a, long b, long c, long d, long e, long f)
{
	return BLOCKING_CALL(long, state_of(number), call(number, a, b, c, d, e, f));
}
