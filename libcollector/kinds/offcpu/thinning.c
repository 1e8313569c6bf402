/* SPDX-License-Identifier: Apache-2.0 */
/* How often a thread switches, by the record's length, or by the kernel's count while there is no record. */
#include "thinning.h"
#include "blocking_call.h"
#include "collector.h"
#include "switch_ring.h"
#include "system_calls.h"
#include <sys/resource.h>

/* Nanoseconds that a switch costs with both events open, in a virtual machine (tests/BENCH.md, "yields"); the part of the CPU time
   that it may cost; and the part below which the record begins again, after so many calm ticks. */
enum { COST = 3500, PART_MOST = 20, PART_CALM = 60, CALM_TICKS = 10 };
/* Nanoseconds of CPU time; fewer say little. */
enum { LOOK_LEAST = 1000000 };

static uint64_t switches_by_kernel(void)
{
	struct rusage usage;
	if (system_call(SYS_getrusage, RUSAGE_THREAD, &usage) != 0)
		return 0;
	return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

static void begin(struct thread_switches *switches)
{
	switches->looked_at = switches_by_kernel();
	if (!switches->looked_at || !switch_ring_lay_aside(switches))
		return;
	switches->source = STATES_BY_CALLS;
	switches->thin = true;
	switches->calm = 0;
	switches->out = 0;
	count(TALLY_threads_thinned, 1);
}

static void end(struct thread_switches *switches)
{
	switches->thin = false;
	if (!switch_ring_take_up(switches))
		return;
	switches->source = STATES_BY_SWITCHES;
	switches->looked_at = switches_recorded(switches);
}

/* Since the last look. */
static uint64_t take_count(struct thread_switches *switches)
{
	uint64_t now = switches->thin ? switches_by_kernel() : switches_recorded(switches);
	uint64_t passed = now > switches->looked_at ? now - switches->looked_at : 0;
	switches->looked_at = now;
	if (switches->thin)
		count(TALLY_switches_left_out, passed);
	return switches->thin ? passed : passed / SWITCH_RECORDS;
}

void thinning_look(struct thread_switches *switches, uint64_t cpu_time)
{
	uint64_t used = cpu_time - switches->looked_cpu;
	if (used < LOOK_LEAST || (switches->source != STATES_BY_SWITCHES && !switches->thin))
		return;
	switches->looked_cpu = cpu_time;
	uint64_t cost = take_count(switches) * COST;
	if (!switches->thin && cost * PART_MOST > used) {
		begin(switches);
	} else if (switches->thin) {
		switches->calm = cost * PART_CALM < used ? switches->calm + 1 : 0;
		if (switches->calm >= CALM_TICKS)
			end(switches);
	}
}

void thinning_end(struct thread_switches *switches)
{
	if (switches->thin)
		take_count(switches);
}
