/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The effect of each heap event on its process's memory: what it released, what of it was never released, and how much there was
   after it. */
#ifndef HEAP_EVENTS_H
#define HEAP_EVENTS_H

#include "data.h"

/* In bytes. */
struct heap_event {
	uint64_t time;
	int64_t net;       /* allocated less released by the event */
	uint64_t released; /* by the event */
	uint64_t left;     /* of an allocation: what was there at the end of its process */
	uint64_t in_use;   /* allocated and not released, after the event */
	uint64_t leaked;   /* of that, what was left at the end of the process */
};
struct heap_events;
/* Replays all heap events. */
struct heap_events *heap_events_read(struct data *data);
void heap_events_free(struct heap_events *events);
/* The event of this thread of the experiment (its index) at this time, 0 if there is none. LAST is what the call before returned or
   0: of several at one time, the one after it. */
const struct heap_event *heap_events_find(const struct heap_events *events, uint32_t experiment, uint32_t thread,
	uint64_t time, const struct heap_event *last);

#endif
