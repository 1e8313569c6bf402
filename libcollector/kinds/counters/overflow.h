/* SPDX-License-Identifier: Apache-2.0 */
/* Writing the event of an overflow, and choosing the interval of the next. */
#ifndef OVERFLOW_H
#define OVERFLOW_H

#include "event_stream.h"
#include "kinds.h"
#include "thread.h"
#include "thread_counters.h"

#define INTERVAL_MOST (UINT32_MAX / 2u)

enum overflow_leaf {
	LEAF_SKID = STATE_VALUE(OVERFLOW, leaf, skid),
	LEAF_PRECISE = STATE_VALUE(OVERFLOW, leaf, precise),
	LEAF_LATE = STATE_VALUE(OVERFLOW, leaf, late)
};

/* Writes the event of the overflow in the thread's `contents`; `interval`: what the counter had counted up to it. By one
   caller at a time. */
void overflow_append(struct thread *thread, struct thread_counter *counter, const struct event_head *head,
	uint64_t interval, enum overflow_leaf leaf);

/* Takes account of what the kernel said beside: overflows that it lost, and that it held the counter back. */
void overflow_account(struct thread_counter *counter, uint64_t lost, uint64_t throttled);

/* The interval after an overflow at `time` (CLOCK_MONOTONIC). Named rates are ceilings: overflows that come closer than asked
   for double it. */
uint64_t overflow_adapted_interval(struct thread_counter *counter, uint64_t time);

#endif
