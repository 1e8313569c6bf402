/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the stops that collect writes: see stops.h. */
#include "stops.h"
#include "collector.h"
#include "layout.h"
#include "system_calls.h"
#include "waiters.h"

/* The oldest stop may be overwritten at any time. */
#define STOPS_READABLE (STOPS - 1)

static bool was_stopped(const struct process_stop *seen)
{
	if (seen->process == (uint64_t)collector.process)
		return true;
	return seen->group && seen->group == (uint64_t)system_call(SYS_getpgid, 0);
}

bool stops_next(struct thread_switches *switches, uint64_t since, uint64_t until, struct stop *stop)
{
	uint64_t all = shared_waits ? __atomic_load_n(&shared_waits->stop_count, __ATOMIC_ACQUIRE) : 0;
	if (all > STOPS_READABLE && switches->stop < all - STOPS_READABLE) {
		count(TALLY_stops_left_out, all - STOPS_READABLE - switches->stop);
		switches->stop = all - STOPS_READABLE;
	}
	for (; switches->stop < all; switches->stop++) {
		const struct process_stop *seen = &shared_waits->stops[switches->stop % STOPS];
		uint64_t to = __atomic_load_n(&seen->to, __ATOMIC_RELAXED);
		if ((to && to <= since) || !was_stopped(seen))
			continue;
		*stop = (struct stop){seen->from, to ? to : UINT64_MAX};
		return seen->from < until;
	}
	return false;
}
