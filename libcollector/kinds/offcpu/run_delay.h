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

/* Takes the part of an interval of that length from what is not recorded yet of the sum, and returns it. Preempted: all of it. */
uint64_t run_delay_take(struct thread_switches *switches, uint64_t sum, uint64_t length, bool preempted);
/* All intervals until the sum was read are recorded. */
void run_delay_settle(struct thread_switches *switches, uint64_t sum);

#endif
