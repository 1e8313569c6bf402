/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facts about each counter whose overflows were recorded: how it counted, how precise it is, what is missing. */
#ifndef COUNTER_FACTS_H
#define COUNTER_FACTS_H

#include "data.h"
#include <stdio.h>

/* Sums over the threads of one experiment. */
struct counter_facts {
	struct counter_account {
		uint64_t threads, counted, enabled, running, throttled, lost, stalled, adapted;
		uint64_t overflows, recorded, precise,
			late; /* of the events: how many, what they stand for, their leaves */
	} of[OVERFLOW_COUNTERS_MAX];
};

/* By experiment; the caller frees the array. */
struct counter_facts *counter_facts_collect(struct data *data);
void counter_facts_print(const struct counter_facts *facts, const struct experiment *experiment, FILE *file);

#endif
