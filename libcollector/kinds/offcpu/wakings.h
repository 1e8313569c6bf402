/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's record of which threads a thread wakes, by its tracepoint sched_waking, where the machine permits it: it tells
   who ended a wait by a system call of the program's own or by a lock of libc's, which no call in front of ours shows. It is
   opened in every thread once the experiment has such waits. The caller has claimed the thread's switches.
   Async-signal-safe. */
#ifndef WAKINGS_H
#define WAKINGS_H

#include "collector.h"
#include "thread.h"
#include <stdbool.h>
#include <stdint.h>

/* A process's first thread has none of this before its first clock tick: most processes are brief, and pay nothing, not even for
   the pages of this code. */
static inline bool wakings_may_be_wanted(const struct thread *thread)
{
	return thread->tid != collector.process || thread->clock.ticks;
}

/* As the thread begins, in itself: the experiment has it, so whoever wakes it is to be recorded. */
void wakings_start(const struct thread *thread);
/* A wait of so many nanoseconds was in no call that the collector knows. */
void wakings_miss(uint64_t nanoseconds);

/* After a reading, in the thread itself: opens its record if it is wanted, permitted and not open. */
void wakings_open(struct thread *thread);
/* Closes one that is open, in the thread itself; it may be opened again. */
void wakings_close(struct thread_switches *switches);
/* In a fork child, that of its parent. */
void wakings_forget(struct thread_switches *switches);

/* A wakeup of a thread of the experiment. */
struct thread_waking {
	uint64_t time; /* CLOCK_MONOTONIC, nanoseconds */
	uint64_t object;
	uint32_t cpu;
};
/* The next wakeup in an open record that is not taken; it stays. False: there is none. */
bool wakings_look(struct thread *thread, struct thread_waking *waking);
/* The stack of that one, in the thread itself; 0: not known. */
uint32_t wakings_stack(struct thread *thread);
/* Takes it. */
void wakings_take(struct thread *thread);

#endif
