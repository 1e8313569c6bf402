/* SPDX-License-Identifier: Apache-2.0 */
/* Waits by system calls of the program's own, by locks inside libc and for pages: no call in front of ours has them. Once the
   experiment has 1 ms of them, each thread has its wakeups and where it waits recorded by the kernel (wakings.h, wait_places.h), as
   far as that is permitted. Async-signal-safe. */
#ifndef OWN_CALLS_H
#define OWN_CALLS_H

#include "collector.h"
#include "thread.h"
#include <stdbool.h>
#include <stdint.h>

/* There was such a wait, of so many nanoseconds. */
void own_calls_waited(uint64_t nanoseconds);

/* A process's first thread has none of this before its first clock tick: most processes are brief, and pay nothing, not even for
   the pages of this code. */
static inline bool own_calls_may_matter(const struct thread *thread)
{
	return thread->tid != collector.process || thread->clock.ticks;
}
/* After a reading of the thread's records, in the thread itself, claimed: opens the two if they are wanted. */
void own_calls_look(struct thread *thread);
/* Closes them, in the thread itself; they may be opened again. */
void own_calls_end(struct thread_switches *switches);
/* In a fork child: what the parent had is gone. */
void own_calls_forget(struct thread_switches *switches);

static inline bool own_calls_recorded(const struct thread_switches *switches)
{
	return switches->wakings || switches->places;
}

#endif
