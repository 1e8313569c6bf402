/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and closing the two records: see own_calls.h. */
#include "own_calls.h"
#include "late_samples.h"
#include "wait_places.h"
#include "waiters.h"
#include "wakings.h"

/* Nanoseconds: less of such waits is not worth the records. */
enum { WAITED_LEAST = 1000000 };

void own_calls_waited(uint64_t nanoseconds)
{
	if (shared_waits)
		__atomic_fetch_add(&shared_waits->unknown_wait, nanoseconds, __ATOMIC_RELAXED);
}

static bool are_wanted(void)
{
	return shared_waits && __atomic_load_n(&shared_waits->unknown_wait, __ATOMIC_RELAXED) >= WAITED_LEAST;
}

void own_calls_look(struct thread *thread)
{
	struct thread_switches *switches = &thread->switches;
	if (switches->own_calls != OWN_CALLS_CLOSED || switches->source != STATES_BY_SWITCHES || !are_wanted())
		return;
	switches->own_calls = OWN_CALLS_TRIED;
	wakings_open(thread);
	wait_places_open(thread);
}

static void release(struct thread_switches *switches, void (*how)(struct late_samples *))
{
	if (switches->wakings)
		how(switches->wakings);
	if (switches->places)
		how(switches->places);
	switches->wakings = switches->places = 0;
	switches->own_calls = OWN_CALLS_CLOSED;
}

void own_calls_end(struct thread_switches *switches)
{
	release(switches, late_samples_close);
}

void own_calls_forget(struct thread_switches *switches)
{
	release(switches, late_samples_forget);
}
