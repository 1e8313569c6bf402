/* SPDX-License-Identifier: Apache-2.0 */
/* The value of -p: an interval of CPU time between clock ticks. */
#ifndef CLOCK_INTERVAL_H
#define CLOCK_INTERVAL_H

#include "error.h"
#include <stdbool.h>
#include <stdint.h>

/* Which intervals can be asked for, in nanoseconds. */
struct clock_range {
	uint64_t least, greatest;
	uint64_t step; /* intervals are multiples of it */
};

/* The range of this machine: 0.5 ms to 1 s in steps of the timer resolution that the kernel reports, 1 us at the
   finest. */
struct clock_range clock_range_of_machine(void);

struct clock_interval {
	uint64_t nanoseconds; /* 0: off */
	char note[256];       /* "" or what was changed, for the user */
};

/* Reads off, on, lo[w], h[i[gh]], N, Nm (milliseconds) or Nu (microseconds), N with a fraction or without.
   Out of range values are moved to the range, others rounded down to the step; `note` then says so. */
bool clock_interval_parse(
	const char *text, const struct clock_range *range, struct clock_interval *interval, struct error *error);

#endif
