/* SPDX-License-Identifier: Apache-2.0 */
/* Making a call of synchronization.def so that it is recorded, and what its result says. */
#ifndef TRACED_CALL_H
#define TRACED_CALL_H

#include "shared_memory.h"
#include "sync.h"
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <threads.h>

/* The result of `call`, which waits for the object; `waited` is its LOCK_OBJECT(). In the wrapper's own function, whose frame the
   stack is taken from. */
#define TRACED_CALL(kind, answer, object, waited, call)                                                                \
	({                                                                                                             \
		struct sync_wait wait_;                                                                                \
		sync_wait_begin(                                                                                       \
			&wait_, SYNC_##kind, (uint64_t)(uintptr_t)(object), waited, __builtin_frame_address(0));       \
		int result_ = call;                                                                                    \
		sync_wait_end(&wait_, code_##answer(result_));                                                         \
		result_;                                                                                               \
	})

/* How failure is told: POSIX by an errno value as result, the semaphores by errno, C11 by numbers of its own.
   code_ANSWER() is the errno value of a result, 0 for none; took_ANSWER(): whether a "try" function has the lock. */
enum { CODE_UNNAMED = 4095 }; /* an error that C11 gives no name: no errno value is as large */

static inline int code_POSIX(int result)
{
	return result == PTHREAD_BARRIER_SERIAL_THREAD ? 0 : result;
}
static inline int code_ERRNO(int result)
{
	return result ? errno : 0;
}
static inline int code_C11(int result)
{
	return result == thrd_success    ? 0
	       : result == thrd_timedout ? ETIMEDOUT
	       : result == thrd_busy     ? EBUSY
	       : result == thrd_nomem    ? ENOMEM
					 : CODE_UNNAMED;
}

/* A robust mutex whose owner died is locked all the same. */
static inline bool took_POSIX(int result)
{
	return result == 0 || result == EOWNERDEAD;
}
static inline bool took_ERRNO(int result)
{
	return result == 0;
}
static inline bool took_C11(int result)
{
	return result == thrd_success;
}

#endif
