/* SPDX-License-Identifier: Apache-2.0 */
/* Time: the raw clock that events carry, and the three clocks at once. */
#include "collector.h"
#include "cycle_counter.h"
#include <time.h>

enum { TIME_MONOTONIC = 0, TIME_TSC = 1, TIME_CNTVCT = 2 }; /* settings.def: time_source */

static uint64_t nanoseconds_of(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

__attribute__((hot)) uint64_t time_raw(void)
{
	return collector.settings.time_source == TIME_MONOTONIC ? nanoseconds_of(CLOCK_MONOTONIC) : cycle_counter();
}

void time_now(struct time_triple *now)
{
	if (collector.settings.time_source == TIME_MONOTONIC) {
		now->monotonic = now->raw = nanoseconds_of(CLOCK_MONOTONIC);
	} else {
		/* The middle of two readings is nearest to what the monotonic clock said between them. */
		uint64_t before = cycle_counter();
		now->monotonic = nanoseconds_of(CLOCK_MONOTONIC);
		now->raw = before + (cycle_counter() - before) / 2;
	}
	now->realtime = nanoseconds_of(CLOCK_REALTIME);
}
