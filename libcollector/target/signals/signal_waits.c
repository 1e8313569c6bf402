/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the waits that take a mask or a set of signals: ours is added to the masks, and what is ours is never
   handed to the target. Those that wait for descriptors are in io/io_calls.def. */
#include "blocking_call.h"
#include "interpose.h"
#include "masked_wait.h"
#include "target_signal.h"
#include <errno.h>
#include <time.h>

#define NANOSECONDS_PER_SECOND 1000000000

int __sigsuspend(const sigset_t *mask);

INTERPOSE int sigsuspend(const sigset_t *mask)
{
	return BLOCKING_CALL(int, STATE_SLEEP, MASKED_CALL(int, REAL(sigsuspend)(masked), mask));
}

INTERPOSE int __sigsuspend(const sigset_t *mask)
{
	return BLOCKING_CALL(int, STATE_SLEEP, MASKED_CALL(int, REAL(__sigsuspend)(masked), mask));
}

static int64_t monotonic(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * (int64_t)NANOSECONDS_PER_SECOND + now.tv_nsec;
}

/* The rest of a timeout that began at `start`. */
static struct timespec left_of(const struct timespec *timeout, int64_t start)
{
	int64_t left = timeout->tv_sec * (int64_t)NANOSECONDS_PER_SECOND + timeout->tv_nsec - (monotonic() - start);
	if (left < 0)
		left = 0;
	return (struct timespec){left / NANOSECONDS_PER_SECOND, left % NANOSECONDS_PER_SECOND};
}

/* Waits for a signal of a set; ticks that come among them are put aside. As sigtimedwait(2). */
static int wait_for(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	if (mask_has_ours(set) && target_signal_take(info))
		return OUR_SIGNAL;
	int64_t start = timeout ? monotonic() : 0;
	struct timespec left = timeout ? *timeout : (struct timespec){0, 0};
	int signal;
	while (our_signal_owns(signal = REAL(sigtimedwait)(set, info, timeout ? &left : 0), info)) {
		our_signal_skip(info);
		if (timeout)
			left = left_of(timeout, start);
	}
	return signal;
}

static int wait_held(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	siginfo_t own;
	if (!signals_virtual)
		return REAL(sigtimedwait)(set, info, timeout);
	bool held = our_signal_hold();
	int signal = wait_for(set, info ? info : &own, timeout);
	our_signal_release(held);
	return signal;
}

INTERPOSE int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	return BLOCKING_CALL(int, STATE_SLEEP, wait_held(set, info, timeout));
}

INTERPOSE int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	return BLOCKING_CALL(int, STATE_SLEEP, wait_held(set, info, 0));
}

INTERPOSE int sigwait(const sigset_t *set, int *signal)
{
	int saved = errno;
	int got;
	do
		got = BLOCKING_CALL(int, STATE_SLEEP, wait_held(set, 0, 0));
	while (got < 0 && errno == EINTR);
	int code = errno;
	errno = saved;
	if (got < 0)
		return code;
	*signal = got;
	return 0;
}
