/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The waits for each object of synchronization tracing, and who waited: what a sum by stack cannot tell, the longest among
   them. */
#ifndef LOCK_WAITS_H
#define LOCK_WAITS_H

#include "event_filter.h"
#include "number_map.h"

struct waits {
	uint64_t count, time, longest; /* times in nanoseconds */
	uint64_t failed;               /* that ended with an error: a timeout, a cancellation */
};
struct lock_waits {
	struct lock {
		int64_t value; /* of the expression that tells objects apart */
		struct waits waits;
	} * locks;
	uint32_t lock_count, lock_capacity;
	struct lock_caller {
		uint32_t lock, function;
		struct waits waits;
	} * callers;
	uint32_t caller_count, caller_capacity;
};
/* Adds up the events that the filter keeps (0: all), objects and callers by time, longest first; callers of an object are
   neighbours, in the order of the objects. Both expressions are prepared: the object's value, the number of the caller's
   function. */
struct lock_waits *lock_waits_compute(
	struct data *data, const struct event_filter *filter, struct expression *object, struct expression *caller);
void lock_waits_free(struct lock_waits *waits);

#endif
