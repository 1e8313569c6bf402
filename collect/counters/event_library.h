/* SPDX-License-Identifier: Apache-2.0 */
/* libpfm4: the names of a CPU's events and how they are encoded. LIBPFM_FORCE_PMU in the environment makes it take another
   CPU's tables, of which nothing can then be counted. */
#ifndef EVENT_LIBRARY_H
#define EVENT_LIBRARY_H

#include "counter_request.h"

/* Says why no event of a CPU is known here: collect was built without the library. "": it was not. */
const char *event_library_missing(void);

/* Its name for the PMU of this machine's CPUs ("skl"); 0: there is none, or none that it knows. Static storage. */
const char *event_library_core_pmu(void);
/* The CPU in words ("Intel Skylake"), and how many counters it has. */
const char *event_library_core_title(void);
unsigned event_library_core_counters(void);

/* Encodes an event by its name, with the request's attributes: type, config and event of *counter. False and *error. */
bool event_library_encode(const char *event, const struct counter_request *request, struct overflow_counter *counter,
	struct error *error);
/* Whether there is an event of that name. */
bool event_library_knows(const char *event);

/* Calls f for each event of the core's PMU, with each of its unit masks: "EVENT:MASK" and what it counts. */
void event_library_visit(void (*f)(void *context, const char *event, const char *description), void *context);

#endif
