/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which thread ended which wait: the one that last let go of the object before the wait was over, or else the one that the kernel
   saw wake the thread that waited. */
#ifndef WAKEUPS_H
#define WAKEUPS_H

#include "data.h"
#include "kernel_threads.h"

/* The end of others' waits. Times are ns since the founder's start. */
struct wakeup {
	uint64_t object, time;
	uint32_t
		space; /* who knows the object by that number: index of the process's experiment, or of the founder's if all do */
	uint32_t experiment, thread, stack;
	uint32_t number; /* among all, as data_visit_in_time visits them */
};
struct wakeups {
	const struct data *data;
	struct wakeup *all; /* by space, object, time, number */
	uint32_t count;
	uint32_t *order; /* by number: index in `all` */
	struct kernel_threads threads;
};
/* `data` outlives them. */
void wakeups_read(struct wakeups *wakeups, struct data *data);
void wakeups_free(struct wakeups *wakeups);

struct wait;
/* The wakeup that ended it; 0: not known. */
const struct wakeup *wakeup_of_wait(const struct wakeups *wakeups, const struct wait *wait);

#endif
