/* SPDX-License-Identifier: Apache-2.0 */
/* When a signal had stopped the process, as the founder's parent, collect, saw it: nothing in the process itself tells. So stops
   are known of the founder, and of descendants that were stopped with it. Async-signal-safe. */
#ifndef STOPS_H
#define STOPS_H

#include "thread.h"
#include <stdbool.h>
#include <stdint.h>

/* CLOCK_MONOTONIC nanoseconds. The parent sees both a little late: every thread was off the CPU by then. */
struct stop {
	uint64_t from, to; /* to: UINT64_MAX if the end is not known */
};

/* Finds the next stop that was seen before `until` and went on at `since`. For one thread each call's times are later than those of
   the call before. */
bool stops_next(struct thread_switches *switches, uint64_t since, uint64_t until, struct stop *stop);

#endif
