/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the setting "counters". */
#include "wanted_counters.h"
#include "collector.h"

static struct overflow_counter counters[OVERFLOW_COUNTERS_MAX];
static unsigned overflows, readings; /* those that are read stand behind the others */

static void decode(void)
{
	static bool done;
	if (done || !collector.settings.counters[0])
		return;
	unsigned count = overflow_counters_decode(collector.settings.counters, counters);
	for (; overflows < count && counters[overflows].delivery != DELIVERY_READ; overflows++)
		;
	readings = count - overflows < READINGS_MAX ? count - overflows : READINGS_MAX;
	done = true;
}

struct wanted_counters wanted_overflows(void)
{
	decode();
	return (struct wanted_counters){counters, overflows};
}

struct wanted_counters wanted_readings(void)
{
	decode();
	return (struct wanted_counters){counters + overflows, readings};
}
