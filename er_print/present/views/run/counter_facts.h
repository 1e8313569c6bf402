/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facts about each counter whose overflows were recorded, or that was read: how it counted, how precise it is, what is
   missing. */
#ifndef COUNTER_FACTS_H
#define COUNTER_FACTS_H

#include "data.h"
#include "facts.h"

/* Sums over the threads of one experiment. */
struct counter_facts {
	struct counter_account {
		uint64_t threads, counted, enabled, running, throttled, lost, stalled, adapted;
		uint64_t overflows, recorded, precise,
			late; /* of the events: how many, what they stand for, their leaves */
		uint64_t readings, unknown;
	} of[OVERFLOW_COUNTERS_MAX];
};

/* By experiment; the caller frees the array. */
struct counter_facts *counter_facts_collect(struct data *data);
/* The lines about each counter. */
void counter_facts_add(struct facts *facts, const struct counter_facts *counters, const struct experiment *experiment);

#endif
