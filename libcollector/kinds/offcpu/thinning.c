/* SPDX-License-Identifier: Apache-2.0 */
/* How often a thread switches, by the kernel's count. */
#include "thinning.h"
#include "collector.h"
#include "fault_signal.h"
#include "own_calls.h"
#include "switch_ring.h"
#include "system_calls.h"
#include <sys/resource.h>

/* Nanoseconds that a switch costs with both events open, in a virtual machine (tests/BENCH.md, "yields"); the part of the time that
   it may cost; and the part below which the record begins again, after so many calm ticks. */
enum { COST = 3500, PART_MOST = 20, PART_CALM = 60, CALM_TICKS = 10 };
/* Nanoseconds that a switch and a wakeup, both with the stack, cost besides (a ping-pong of futexes in a virtual machine). */
enum { COST_OF_OWN_CALLS = 4000 };
/* Nanoseconds; less says little. */
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
	if (!switch_ring_lay_aside(switches))
		return;
	fault_signal_close(switches);
	own_calls_end(switches);
	switches->source = STATES_BY_CALLS;
	switches->thin = true;
	switches->calm = 0;
	switches->out = 0;
	count(TALLY_threads_thinned, 1);
}

static void end(struct thread_switches *switches)
{
	switches->thin = false;
	if (switch_ring_take_up(switches))
		switches->source = STATES_BY_SWITCHES;
}

/* The two records of waits outside calls cost more than the switches themselves: they rest first. */
static void look_at_own_calls(struct thread_switches *switches, uint64_t switched, uint64_t passed)
{
	uint64_t cost = switched * (COST + COST_OF_OWN_CALLS);
	if (own_calls_recorded(switches) && cost * PART_MOST > passed) {
		own_calls_end(switches);
		switches->own_calls = OWN_CALLS_RESTING;
		switches->calm = 0;
		count(TALLY_own_calls_rested, 1);
	} else if (switches->own_calls == OWN_CALLS_RESTING) {
		switches->calm = cost * PART_CALM < passed ? switches->calm + 1 : 0;
		if (switches->calm >= CALM_TICKS)
			switches->own_calls = OWN_CALLS_CLOSED;
	}
}

/* How often it has switched since the last look. The kernel's count has also what the record had no room for. */
static uint64_t take_count(struct thread_switches *switches)
{
	uint64_t now = switches_by_kernel();
	uint64_t passed = now > switches->looked_at ? now - switches->looked_at : 0;
	switches->looked_at = now;
	if (switches->thin)
		count(TALLY_switches_left_out, passed);
	return passed;
}

void thinning_start(struct thread_switches *switches, uint64_t now)
{
	switches->looked_time = now;
	switches->looked_at = switches_by_kernel();
}

void thinning_look(struct thread_switches *switches, uint64_t now)
{
	uint64_t passed = now - switches->looked_time;
	if (passed < LOOK_LEAST || (switches->source != STATES_BY_SWITCHES && !switches->thin))
		return;
	switches->looked_time = now;
	uint64_t switched = take_count(switches), cost = switched * COST;
	if (!switches->thin && cost * PART_MOST > passed) {
		begin(switches);
	} else if (switches->thin) {
		switches->calm = cost * PART_CALM < passed ? switches->calm + 1 : 0;
		if (switches->calm >= CALM_TICKS)
			end(switches);
	} else if (switches->own_calls != OWN_CALLS_CLOSED) {
		look_at_own_calls(switches, switched, passed);
	}
}

void thinning_end(struct thread_switches *switches)
{
	if (switches->thin)
		take_count(switches);
}
