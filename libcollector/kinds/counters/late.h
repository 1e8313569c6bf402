/* SPDX-License-Identifier: Apache-2.0 */
/* Counters whose overflows are read later: what happens in the scheduler. A signal there would cut short every wait, so the
   kernel writes each overflow to the thread's ring, with the registers and the innermost part of the stack. The thread itself
   reads them: when a wait ends, while what lies outside of it is as it was; at its clock's ticks; at its end. */
#ifndef LATE_H
#define LATE_H

#include "thread.h"

/* Reads those of the calling thread, in a handler of ours, which has its signals and counters stopped. */
void late_take_in_handler(struct thread *thread);

/* Reads those of the calling thread, outside of handlers, before its recording is paused or goes on. */
void late_take_before_cut(struct thread *thread);

/* Reads those of a thread that has stopped counting. By who has made its counters busy. */
void late_take_rest(struct thread *thread);

/* Has the waits of the target told from now on. */
void late_start(void);

#endif
