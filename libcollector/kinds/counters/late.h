/* SPDX-License-Identifier: Apache-2.0 */
/* Counters whose overflows are read later, because they happen in the scheduler: a signal there would cut short every wait.
   The kernel writes each overflow to the thread's ring, with the registers and the innermost part of the stack. The thread
   itself reads the ring: when a wait ends, as long as the stack outside of the wait has not changed; at the ticks of its clock;
   and at its end. */
#ifndef LATE_H
#define LATE_H

#include "thread.h"

/* Reads those of the calling thread, in a handler of ours, which has its signals and counters stopped. */
void late_take_in_handler(struct thread *thread);

/* Reads those of the calling thread, outside of handlers, before its recording is paused or goes on. */
void late_take_before_cut(struct thread *thread);

/* Reads those of a thread that has stopped counting. The caller has made the thread's counters busy. */
void late_take_rest(struct thread *thread);

/* Has the waits of the target told from now on. */
void late_start(void);

#endif
