/* SPDX-License-Identifier: Apache-2.0 */
/* Standing in front of the functions of synchronization.def. A lock that is free costs little more than without us: its
   "try" function takes it, which does what the call does for every type of mutex, and the clock is not read. Whatever else
   that function says (busy, or an error), the call itself is made, and its result is the target's. */
#include "held_call.h"
#include "traced_call.h"
#include <dlfcn.h>
#include <semaphore.h>
#include <time.h>

/* libc looks at some timeouts before it looks at the lock, and must find the same wrong with them. */
static inline bool good_time(clockid_t clock, const struct timespec *until)
{
	return (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) && until && until->tv_nsec >= 0 &&
	       until->tv_nsec < 1000000000;
}

static inline bool not_cancelled(void)
{
	pthread_testcancel();
	return true;
}

static bool semaphore_is_zero(sem_t *semaphore)
{
	int value = 0;
	return sem_getvalue(semaphore, &value) != 0 || value <= 0;
}

/* The last thread to come to a barrier ends the waits of the others, and is told so. */
#define WAKING_CALL(wait, object, call)                                                                                \
	({                                                                                                             \
		struct waking waking_ = {0, 0};                                                                        \
		if (SYNC_##wait == SYNC_barrier)                                                                       \
			waking_ = waking_begin(object);                                                                \
		int called_ = call;                                                                                    \
		if (SYNC_##wait == SYNC_barrier && called_ == PTHREAD_BARRIER_SERIAL_THREAD)                           \
			waking_end(&waking_, __builtin_frame_address(0));                                              \
		called_;                                                                                               \
	})

static int held_timedwait(sem_t *semaphore, const struct timespec *until)
{
	return HELD_CALL(int, sem_timedwait, (semaphore, until), semaphore_is_zero(semaphore));
}

static int held_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
	return HELD_CALL(int, sem_clockwait, (semaphore, clock, until), semaphore_is_zero(semaphore));
}

/* clang-format off */
enum {
#define LOCK(wait, answer, name, parameters, arguments, object, call, try, try_arguments, stands) TRY_OF_##name,
#include "synchronization.def"
	TRY_COUNT
};
/* clang-format on */

static bool try_is_same[TRY_COUNT]; /* the call and its "try" function are of one library */

#define LOCK(wait, answer, name, parameters, arguments, object, call, try, try_arguments, stands)                      \
	int name parameters;                                                                                           \
	INTERPOSE int name parameters                                                                                  \
	{                                                                                                              \
		if (sync_tracing == SYNC_NOT_TRACED)                                                                   \
			return BLOCKING_CALL_FOR(                                                                      \
				int, LOCK_OBJECT(wait, object), is_taken_##wait(object), call arguments);              \
		if (sync_tracing == SYNC_WAITS && try_is_same[TRY_OF_##name] && (stands)) {                            \
			int saved = errno, tried = REAL(try) try_arguments;                                            \
			if (took_##answer(tried)) {                                                                    \
				sync_count_short();                                                                    \
				return tried;                                                                          \
			}                                                                                              \
			errno = saved;                                                                                 \
		}                                                                                                      \
		return TRACED_CALL(wait, answer, object, LOCK_OBJECT(wait, object), call arguments);                   \
	}
#define WAIT(wait, answer, name, parameters, arguments, object)                                                        \
	int name parameters;                                                                                           \
	INTERPOSE int name parameters                                                                                  \
	{                                                                                                              \
		uint64_t waited = LOCK_OBJECT(wait, object);                                                           \
		if (sync_tracing == SYNC_NOT_TRACED)                                                                   \
			return BLOCKING_CALL_FOR(int, waited, true, WAKING_CALL(wait, waited, REAL(name) arguments));  \
		return TRACED_CALL(wait, answer, object, waited, WAKING_CALL(wait, waited, REAL(name) arguments));     \
	}
#include "synchronization.def"

/* Another tool may stand before us with one of the two functions only; a lock that one library took must not be asked of the
   other. */
static bool same_library(void *one, void *other)
{
	Dl_info of_one, of_other;
	return one && other && dladdr(one, &of_one) && dladdr(other, &of_other) &&
	       of_one.dli_fbase == of_other.dli_fbase;
}

void sync_tries_learn(void)
{
	static bool learnt;
	if (learnt)
		return;
	learnt = true;
#define LOCK(wait, answer, name, parameters, arguments, object, call, try, try_arguments, stands)                      \
	try_is_same[TRY_OF_##name] = same_library((void *)REAL(name), (void *)REAL(try));
#include "synchronization.def"
}
