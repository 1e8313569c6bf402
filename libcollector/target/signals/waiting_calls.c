/* SPDX-License-Identifier: Apache-2.0 */
/* Making such a call. */
#include "waiting_calls.h"
#include "blocking_call.h"
#include "interpose.h"
#include "our_signal.h"
#include "shared_memory.h"
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

static bool futex_waits(long operation)
{
	operation &= FUTEX_CMD_MASK;
	return operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET || operation == FUTEX_LOCK_PI ||
	       operation == FUTEX_LOCK_PI2;
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
	enum thread_state state = state_of(number);
	if (state != STATE_LOCK)
		return BLOCKING_CALL(long, state, call(number, a, b, c, d, e, f));
	uint64_t object = lock_object((uint64_t)a, !(b & FUTEX_PRIVATE_FLAG));
	if (futex_waits(b))
		return BLOCKING_CALL_FOR(long, object, true, call(number, a, b, c, d, e, f));
	struct waking waking = waking_begin(object);
	long result = call(number, a, b, c, d, e, f);
	waking_end(&waking, __builtin_frame_address(0));
	return result;
}
