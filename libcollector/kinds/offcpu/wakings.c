/* SPDX-License-Identifier: Apache-2.0 */
/* One perf event of each thread that wakes others, read later: see wakings.h. Source: include/trace/events/sched.h and
   trace_events.h of Linux (flags of a tracepoint's data). */
#include "wakings.h"
#include "capture.h"
#include "collector.h"
#include "memory.h"
#include "pages.h"
#include "perf_event.h"
#include "perf_records.h"
#include "system_calls.h"
#include "touched_ring.h"
#include "waiters.h"
#include <string.h>
#include <time.h>

/* Pages of data: room for 58 wakeups. Bytes of the stack that a wakeup has. */
enum { PAGES_MOST = 32, PAGES_LEAST = 2, STACK_BYTES = 2048 };
/* Nanoseconds: fewer of waits that no call explains are not worth the record. */
enum { MISSED_LEAST = 1000000 };

#define SAMPLE_TYPE                                                                                                    \
	(PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

/* The data of every tracepoint begin with its number (2 bytes), flags, a count and the id of the thread that runs. */
enum { FLAGS_AT = 2, THREAD_AT = 4, IN_INTERRUPT = 0x08 | 0x10 | 0x40 };

struct thread_wakings {
	void *ring;
	unsigned ring_pages;
	bool found; /* `next` is not taken yet, and is that of `contents` */
	struct thread_waking next;
	struct ring_contents contents;
};

void wakings_start(const struct thread *thread)
{
	if (shared_waits)
		__atomic_store_n(&shared_waits->woken[(unsigned)thread->tid % WOKEN], 1, __ATOMIC_RELAXED);
}

void wakings_miss(uint64_t nanoseconds)
{
	if (shared_waits && shared_waits->waking_event)
		__atomic_fetch_add(&shared_waits->unknown_wait, nanoseconds, __ATOMIC_RELAXED);
}

static bool is_wanted(void)
{
	return shared_waits && shared_waits->waking_event &&
	       __atomic_load_n(&shared_waits->unknown_wait, __ATOMIC_RELAXED) >= MISSED_LEAST;
}

static int open_event(void)
{
	struct perf_event_attr attributes;
	memset(&attributes, 0, sizeof attributes);
	attributes.size = sizeof attributes;
	attributes.type = PERF_TYPE_TRACEPOINT;
	attributes.config = shared_waits->waking_event;
	attributes.sample_period = 1;
	attributes.sample_type = SAMPLE_TYPE;
	attributes.sample_regs_user = PERF_REGISTERS;
	attributes.sample_stack_user = STACK_BYTES;
	attributes.use_clockid = 1;
	attributes.clockid = CLOCK_MONOTONIC;
	attributes.exclude_hv = 1;
	return perf_event_open(&attributes, -1);
}

/* The mapping keeps the event: no descriptor is left for the target to see. */
static bool map_event(struct thread_wakings *wakings)
{
	int fd = open_event();
	if (fd < 0)
		return false;
	wakings->ring_pages = PAGES_MOST;
	wakings->ring = touched_ring_map(fd, &wakings->ring_pages, PAGES_LEAST);
	sys_close(fd);
	return wakings->ring != 0;
}

void wakings_open(struct thread *thread)
{
	struct thread_switches *switches = &thread->switches;
	if (switches->wakings || switches->wakings_refused || switches->thin || !is_wanted())
		return;
	wakings_start(thread);
	struct thread_wakings *wakings = pages_map(sizeof *wakings);
	switches->wakings_refused = !wakings || !map_event(wakings);
	if (switches->wakings_refused) {
		pages_unmap(wakings, sizeof *wakings);
		return;
	}
	switches->wakings = wakings;
	count(TALLY_threads_wakings, 1);
}

void wakings_close(struct thread_switches *switches)
{
	struct thread_wakings *wakings = switches->wakings;
	switches->wakings = 0;
	perf_ring_unmap(wakings->ring, wakings->ring_pages);
	pages_unmap(wakings, sizeof *wakings);
}

void wakings_forget(struct thread_switches *switches)
{
	pages_unmap(switches->wakings, sizeof *switches->wakings);
	switches->wakings = 0;
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
	if (!contents->sampled || woken <= 0 || number_at(contents, THREAD_AT) != thread->tid || woken == thread->tid)
		return 0;
	if (contents->raw[FLAGS_AT] & IN_INTERRUPT)
		return 0;
	bool known = __atomic_load_n(&shared_waits->woken[(unsigned)woken % WOKEN], __ATOMIC_RELAXED);
	return known ? OBJECT_THREAD | (uint64_t)woken : 0;
}

bool wakings_look(struct thread *thread, struct thread_waking *waking)
{
	struct thread_wakings *wakings = thread->switches.wakings;
	struct ring_contents *contents = &wakings->contents;
	while (!wakings->found) {
		ring_contents_clear(contents);
		if (!ring_take_one(wakings->ring, SAMPLE_TYPE, contents))
			return false;
		if (contents->lost)
			count(TALLY_wakings_lost, contents->lost);
		wakings->next = (struct thread_waking){contents->time, object_of(thread, contents), contents->cpu};
		wakings->found = wakings->next.object != 0;
	}
	*waking = wakings->next;
	return true;
}

uint32_t wakings_stack(struct thread *thread)
{
	const struct ring_contents *contents = &thread->switches.wakings->contents;
	uint64_t sp = contents->registers[SAVED_STACK_POINTER];
	const struct stack_copy copy = {sp, sp & 7 ? 0 : contents->stack_size, contents->stack, 0};
	return contents->has_registers ? capture_copied(thread, &copy, contents->registers).stack : 0;
}

void wakings_take(struct thread *thread)
{
	thread->switches.wakings->found = false;
}
