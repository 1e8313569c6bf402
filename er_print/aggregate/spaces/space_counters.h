/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counters whose counts are known of the intervals between samples: those of all experiments, told apart by name. */
#ifndef SPACE_COUNTERS_H
#define SPACE_COUNTERS_H

#include "data.h"

struct space_counters {
	unsigned count;
	struct space_counter {
		const char *name, *title;
		bool is_time; /* it counts ns */
		bool is_told; /* by the samples that say which code ran, so that it says nothing more about that code */
	} counter[READINGS_MAX];
	unsigned instructions; /* the one that counts them; READINGS_MAX: none does */
};

/* The clock events say these, where an experiment has no readings. */
enum clock_count { COUNT_USER, COUNT_SYSTEM, COUNT_OFFCPU, CLOCK_COUNTS };

/* The number of each value of an experiment's samples among the counters, which is added if it is new: of its readings, or else by
   enum clock_count. READINGS_MAX: there is none, or no room for it. */
void space_counters_add(
	struct space_counters *counters, const struct experiment *file, unsigned value_of[READINGS_MAX]);

#endif
