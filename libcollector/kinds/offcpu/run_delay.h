/* SPDX-License-Identifier: Apache-2.0 */
/* How long a thread could run and had no CPU, after waits as well as after preemption: the kernel's sum, of which no record tells
   a part. Async-signal-safe. */
#ifndef RUN_DELAY_H
#define RUN_DELAY_H

#include "thread.h"

/* Opens the account of the calling thread. Without one, waits last until their thread has a CPU. */
void run_delay_open(struct thread_switches *switches);
void run_delay_close(struct thread_switches *switches);

/* The sum until now, in nanoseconds; 0: not known, or read a moment before (`now`: CLOCK_MONOTONIC). */
uint64_t run_delay_read(struct thread_switches *switches, uint64_t now);

/* Takes the part of an interval of that length from what is not recorded yet of the sum, and returns it. Preempted: all of it. 0 if
   the account cannot be true (plausible_delay.h). */
uint64_t run_delay_take(struct thread_switches *switches, uint64_t sum, uint64_t length, bool preempted);
/* That part is not recorded with the interval. */
void run_delay_give_back(struct thread_switches *switches, uint64_t part);
/* All intervals until the sum was read are recorded. A little that is left of it is for the next ones. */
void run_delay_settle(struct thread_switches *switches, uint64_t sum);

#endif
