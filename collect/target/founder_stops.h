/* SPDX-License-Identifier: Apache-2.0 */
/* Telling the founder's threads when a signal had stopped it: only its parent sees that. */
#ifndef FOUNDER_STOPS_H
#define FOUNDER_STOPS_H

#include "create.h"
#include "layout.h"
#include <stdbool.h>
#include <sys/types.h>

struct founder_stops {
	struct shared_waits *waits; /* the experiment's file, mapped; 0: there is none */
	struct process_stop *open;  /* the stop that goes on; 0: none */
};

void founder_stops_start(struct founder_stops *stops, const struct created *created);
void founder_stops_end(struct founder_stops *stops);

/* The founder was seen stopped, or continued, just now. */
void founder_stopped(struct founder_stops *stops, pid_t founder);
void founder_continued(struct founder_stops *stops);

#endif
