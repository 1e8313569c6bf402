/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The worth of the clock data of one experiment: how many ticks, from which clocks, how user and system were told
   apart, how complete the stacks are. For `header`. */
#ifndef CLOCK_FACTS_H
#define CLOCK_FACTS_H

#include "data.h"
#include "facts.h"

struct clock_facts {
	uint64_t events, user, system; /* recorded clock events, and the CPU time in them */
	uint64_t perf_threads, timer_threads, no_clock_threads;
	uint64_t perf_resolution, timer_resolution; /* the finest interval that a source could give, ns; 0: not known */
};
/* One per experiment of the data, in its order; decodes the clock and thread events. The caller frees the array. */
struct clock_facts *clock_facts_collect(struct data *data);

/* The lines about the clock, its split into user and system, losses, sampling error and stacks. */
void clock_facts_add(struct facts *facts, const struct clock_facts *clock, const struct experiment *experiment);

#endif
