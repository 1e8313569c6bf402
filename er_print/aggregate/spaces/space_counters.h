/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counters whose counts are known of the intervals between samples: those of all experiments, told apart by name. */
#ifndef SPACE_COUNTERS_H
#define SPACE_COUNTERS_H

#include "data.h"

#define SPACE_COUNTERS_MAX (READINGS_MAX + 1u) /* all that can be read, and the time off the CPU */

struct space_counters {
	unsigned count;
	struct space_counter {
		const char *name, *title;
		bool is_time; /* it counts ns */
		bool is_told; /* by the samples that say which code ran, so that it says nothing more about that code */
	} counter[SPACE_COUNTERS_MAX];
	unsigned instructions; /* the one that counts them; SPACE_COUNTERS_MAX: none does */
};

/* The values of an experiment's samples: those of its readings; where it has none, the times that clock events say; and the time
   off the CPU. */
enum space_value { VALUE_USER = READINGS_MAX, VALUE_SYSTEM, VALUE_OFFCPU, SPACE_VALUES_MAX };

/* The number of each value of an experiment's samples among the counters, which is added if it is new. SPACE_COUNTERS_MAX: the
   experiment does not have it, or there is no room for it. */
void space_counters_add(
	struct space_counters *counters, const struct experiment *file, unsigned value_of[SPACE_VALUES_MAX]);

#endif
