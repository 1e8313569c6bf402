/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of a run: from what -h asks for to what the target is told (settings.def: counters). */
#ifndef COUNTERS_H
#define COUNTERS_H

#include "counter_request.h"

/* Chooses the events and intervals of all that is asked for, and tries them out. `clock`: the interval of -p in
   nanoseconds, 0 for off, which the rate "auto" follows. False and *error: why not, and what to do. */
bool counters_choose(const struct counter_requests *requests, uint64_t clock,
	struct overflow_counter counters[OVERFLOW_COUNTERS_MAX], unsigned *count, struct error *error);

/* The default set of this CPU, as -h takes it; 0: it has none. The caller frees it. */
char *counters_standard_text(void);

/* The interval of a rate, given that of "on"; *ceiling: nanoseconds between overflows, 0 if it is fixed. */
uint64_t counter_interval(
	enum counter_rate rate, uint64_t interval_on, uint64_t interval_asked, uint64_t clock, uint64_t *ceiling);

#endif
