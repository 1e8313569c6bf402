/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's tracepoint of wakeups, sched_waking, as far as this user may look at it. */
#ifndef WAKING_EVENT_H
#define WAKING_EVENT_H

#include "layout.h"

/* Sets its number and where its data has the woken thread's id; the number stays 0 if it may not be used. */
void waking_event_find(struct shared_waits *waits);

#endif
