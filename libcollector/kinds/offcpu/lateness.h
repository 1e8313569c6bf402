/* SPDX-License-Identifier: Apache-2.0 */
/* How late the kernel writes its record that a thread was switched in: the thread's CPU time runs by then, so that an interval
   until the record and CPU time would have some microseconds in common. It is learned of intervals and CPU time together: as much
   as they are longer than the time that has passed. By what the intervals of that time were too long, the next ones are shorter.
   Async-signal-safe; the caller has claimed the thread's switches. */
#ifndef LATENESS_H
#define LATENESS_H

#include "thread.h"
#include <stdbool.h>
#include <stdint.h>

/* Nanoseconds, CLOCK_MONOTONIC, and the thread's CPU time then. */
void lateness_start(struct thread_lateness *lateness, uint64_t now, uint64_t cpu_time);
/* The end of an interval, in CLOCK_MONOTONIC nanoseconds, that began at `from` and whose end was recorded at `to`. */
uint64_t lateness_end(struct thread_lateness *lateness, uint64_t from, uint64_t to);
/* Whether it has seen enough to learn from. */
static inline bool lateness_can_learn(const struct thread_lateness *lateness)
{
	enum { INTERVALS = 16 };
	return lateness->intervals >= INTERVALS;
}
/* In the thread itself, when all its intervals until now were seen. */
void lateness_learn(struct thread_lateness *lateness, uint64_t now, uint64_t cpu_time);

#endif
