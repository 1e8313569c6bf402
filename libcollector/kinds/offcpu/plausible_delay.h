/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a thread can have been on a run queue for as long as the kernel's account says. From Linux 6.12 on, a thread that goes to
   sleep may stay on its queue for a moment (delayed dequeue); if it is moved to another CPU meanwhile, the account takes all its
   sleep from then on for a wait for the CPU. Source: enqueue_task() and sched_info_enqueue() in kernel/sched of Linux 6.12, which
   count a move of such a thread as if it could run. Async-signal-safe. */
#ifndef PLAUSIBLE_DELAY_H
#define PLAUSIBLE_DELAY_H

#include <stdbool.h>
#include <stdint.h>

/* The delay is the calling thread's, in nanoseconds. A long one is judged by the kernel's version, by how much there is to run on
   the machine, and by the thread's priority. */
bool delay_is_plausible(uint64_t nanoseconds);

/* It is judged by the texts of /proc/sys/kernel/osrelease, /proc/loadavg and /proc/thread-self/stat. An empty one, which
   could not be read, is no reason to doubt. */
bool delay_is_plausible_by(uint64_t nanoseconds, const char *release, const char *load, const char *stat);

#endif
