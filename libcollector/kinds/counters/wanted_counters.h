/* SPDX-License-Identifier: Apache-2.0 */
/* The counters that the settings ask for. */
#ifndef WANTED_COUNTERS_H
#define WANTED_COUNTERS_H

#include "overflow_counter.h"

struct wanted_counters {
	const struct overflow_counter *counter;
	unsigned count;
};

/* Those whose overflows are recorded, and those that clock ticks read. They last. The first call of a process is before it has
   several threads. */
struct wanted_counters wanted_overflows(void);
struct wanted_counters wanted_readings(void);

#endif
