/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's tracepoint of wakeups, sched_waking, as far as this user may look at it. */
#ifndef WAKING_EVENT_H
#define WAKING_EVENT_H

#include "layout.h"

/* Sets its number and where its data has the woken thread's id; the number stays 0 if it may not be used. */
void waking_event_find(struct shared_waits *waits);

/* The last process to close a tracepoint waits in the kernel for tens of milliseconds, and who opens one meanwhile, too. So collect
   keeps one, which records nothing, open for as long as the target runs. Returns its descriptor, -1: none. */
int waking_event_hold(uint32_t number);
/* A process of its own closes it, so that nobody waits for that. */
void waking_event_let_go(int held);

#endif
