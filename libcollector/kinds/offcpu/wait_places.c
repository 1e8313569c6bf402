/* SPDX-License-Identifier: Apache-2.0 */
/* One perf event of each thread, which counts its context switches: see wait_places.h. Source: perf_event_task_sched_out() of
   Linux. */
#include "wait_places.h"
#include "collector.h"
#include "late_samples.h"

/* Nanoseconds: the kernel takes the sample, which has the stack, before it writes of the same switch in the other record. */
enum { BEFORE_MOST = 100000 };
enum { STACK_BYTES = 4096 };

bool wait_places_open(struct thread *thread)
{
	thread->switches.places = late_samples_open(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, STACK_BYTES);
	if (thread->switches.places)
		count(TALLY_threads_places, 1);
	return thread->switches.places;
}

bool wait_places_find(struct thread *thread, uint64_t out)
{
	struct late_samples *places = thread->switches.places;
	while (late_samples_look(places) && places->contents.time + BEFORE_MOST < out)
		late_samples_take(places);
	return places->found && places->contents.time <= out;
}
