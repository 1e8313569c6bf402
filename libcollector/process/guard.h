/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of our code inside the target:
   1. In a signal handler: no lock, no malloc, no stdio, no dl_iterate_phdr, no libc call that takes one of these.
   2. errno is as it was when we return to the target.
   3. The collector calls the kernel by system_calls.h (experiment-format/write/), never through a libc function that we interpose.
   4. An interposer enters with guard_enter() and records only if that returns true; it calls the real function outside.
   5. A handler that finds `inside` set counts events_lost_nested or carries its time to the next tick; it never waits.
   6. Nothing here prints, exits, or changes a result of the target. One exception: an MPI rank says on stderr what
      VT_VERBOSE asks for (kinds/mpi/process.c). */
#ifndef GUARD_H
#define GUARD_H

#include "collector.h"
#include "thread.h"
#include <errno.h>

/* The values of a thread's `inside` while our code runs in it. */
enum {
	INSIDE_OURSELVES = 1, /* at work on the thread itself, or in a handler of ours */
	INSIDE_RECORDING = 2, /* in an interposer: a handler of the target may have interrupted it */
};

/* True if the caller may record: recording is on, the thread is known, and we are not already inside. */
static inline bool guard_enter(void)
{
	struct thread *thread = current_thread;
	if (!collector_recording() || !thread || thread->inside)
		return false;
	thread->inside = INSIDE_RECORDING;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return true;
}
static inline void guard_leave(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	current_thread->inside = 0;
}

#endif
