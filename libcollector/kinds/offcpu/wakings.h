/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's record of which threads a thread wakes, by its tracepoint sched_waking, where the machine permits it. The caller
   has claimed the thread's switches. Async-signal-safe. */
#ifndef WAKINGS_H
#define WAKINGS_H

#include "thread.h"
#include <stdbool.h>
#include <stdint.h>

/* As the thread begins, in itself: the experiment has it, so whoever wakes it is to be recorded. */
void wakings_start(const struct thread *thread);
/* Opens the record of the calling thread. False: it may not be. */
bool wakings_open(struct thread *thread);

/* A wakeup of a thread of the experiment. */
struct thread_waking {
	uint64_t time; /* CLOCK_MONOTONIC, nanoseconds */
	uint64_t object;
	uint32_t cpu;
};
/* The next wakeup in an open record that is not taken; it stays, and is the record's sample. False: there is none. */
bool wakings_look(struct thread *thread, struct thread_waking *waking);

#endif
