/* SPDX-License-Identifier: Apache-2.0 */
/* One perf event of each thread that wakes others, read later: see wakings.h. Source: include/trace/events/sched.h and
   trace_events.h of Linux (flags of a tracepoint's data). */
#include "wakings.h"
#include "collector.h"
#include "late_samples.h"
#include "waiters.h"
#include <string.h>

/* Less than of waits: more wakeups come at once. */
enum { STACK_BYTES = 2048 };

/* The data of every tracepoint begin with its number (2 bytes), flags, a count and the id of the thread that runs. */
enum { FLAGS_AT = 2, THREAD_AT = 4, IN_INTERRUPT = 0x08 | 0x10 | 0x40 };

void wakings_start(const struct thread *thread)
{
	if (shared_waits)
		__atomic_store_n(&shared_waits->woken[(unsigned)thread->tid % WOKEN], 1, __ATOMIC_RELAXED);
}

bool wakings_open(struct thread *thread)
{
	uint32_t event = shared_waits ? shared_waits->waking_event : 0;
	if (!event)
		return false;
	wakings_start(thread);
	thread->switches.wakings = late_samples_open(PERF_TYPE_TRACEPOINT, event, STACK_BYTES);
	if (thread->switches.wakings)
		count(TALLY_threads_wakings, 1);
	return thread->switches.wakings;
}

static int32_t number_at(const struct ring_contents *contents, unsigned at)
{
	int32_t number = 0;
	if (at + sizeof number <= contents->raw_size)
		memcpy(&number, contents->raw + at, sizeof number);
	return number;
}

/* The thread that was woken; 0: none of the experiment, or by an interrupt, which comes whatever runs. In a namespace of process
   ids the kernel's numbers are not those that the program sees: nothing is known there. */
static uint64_t object_of(const struct thread *thread, const struct ring_contents *contents)
{
	int32_t woken = number_at(contents, shared_waits->waking_thread_at);
	if (woken <= 0 || number_at(contents, THREAD_AT) != thread->tid || woken == thread->tid)
		return 0;
	if (contents->raw[FLAGS_AT] & IN_INTERRUPT)
		return 0;
	bool known = __atomic_load_n(&shared_waits->woken[(unsigned)woken % WOKEN], __ATOMIC_RELAXED);
	return known ? OBJECT_THREAD | (uint64_t)woken : 0;
}

bool wakings_look(struct thread *thread, struct thread_waking *waking)
{
	struct late_samples *samples = thread->switches.wakings;
	bool some;
	while ((some = late_samples_look(samples))) {
		struct ring_contents *contents = &samples->contents;
		if (contents->lost)
			count(TALLY_wakings_lost, contents->lost);
		contents->lost = 0;
		*waking = (struct thread_waking){contents->time, object_of(thread, contents), contents->cpu};
		if (waking->object)
			break;
		late_samples_take(samples);
	}
	return some;
}
