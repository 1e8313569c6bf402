/* SPDX-License-Identifier: Apache-2.0 */
/* How long threads wait in regions. */
#include "wait.h"
#include "collector.h"
#include "free_list.h"
#include "guard.h"
#include "openmp_events.h"
#include "pages.h"
#include "recording.h"
#include "thread.h"
#include <errno.h>
#include <string.h>

/* Short waits of a member at a place in the code. */
struct place_waits {
	const void *call;             /* or the function, as in struct omp_wait */
	uint64_t region, waits, time; /* in raw time */
	enum omp_construct construct;
	uint32_t stack; /* of the first one */
};
enum { PLACES = 16, TOLD = 4096 };
struct wait_room {
	void *next; /* in the list of unused ones */
	struct place_waits places[PLACES];
	struct omp_wait told[TOLD];
};
static struct free_list unused;

/* From how much raw time on a wait has an event, and shorter ones together; 0: not known yet, as the rate of raw time is not. */
static uint64_t long_wait;                /* atomic */
enum { LONG = 10000, WRITE_AFTER = 100 }; /* nanoseconds; long waits */

static void learn_long(void)
{
	struct time_triple now;
	time_now(&now);
	__atomic_store_n(&long_wait, time_raw_of(LONG, &now), __ATOMIC_RELAXED);
}

static struct wait_room *room(void)
{
	struct thread *thread = current_thread;
	if (!thread->waits) {
		struct wait_room *room = free_list_take(&unused);
		room = room ? room : pages_map(sizeof *room);
		thread->waits = room;
	}
	return thread->waits;
}

struct omp_wait *wait_told(unsigned depth)
{
	struct wait_room *known = room();
	return known && depth < TOLD ? &known->told[depth] : 0;
}

static void write_place(struct place_waits *place, uint64_t time)
{
	openmp_append(&(struct openmp_event){.what = WAIT,
			      .stack = place->stack,
			      .region = place->region,
			      .duration = place->time,
			      .waits = place->waits,
			      .construct = place->construct},
		time);
	place->waits = place->time = 0;
}

void waits_write(uint64_t time)
{
	struct wait_room *known = current_thread->waits;
	for (struct place_waits *place = known ? known->places : 0; known && place < known->places + PLACES; place++)
		if (place->waits)
			write_place(place, time);
}

void waits_end(struct thread *thread)
{
	if (!thread->waits)
		return;
	waits_write(time_raw());
	memset(thread->waits->places, 0, sizeof thread->waits->places);
	free_list_give(&unused, thread->waits);
	thread->waits = 0;
}

/* A handler of ours sees the place without the wait, or with it. */
void wait_set(struct thread *thread, struct omp_wait *wait)
{
	thread->wait = wait;
	thread->waits_at.construct = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (!wait)
		return;
	thread->waits_at.call = wait->call;
	thread->waits_at.function = wait->body;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	thread->waits_at.construct = wait->construct;
}

bool wait_begin(struct omp_wait *wait, enum omp_construct construct, const struct region_place *place)
{
	struct thread *thread = current_thread;
	if (!thread || !thread->region || thread->wait || thread->inside || !collector_recording())
		return false;
	wait->construct = construct;
	wait->inner = 0;
	wait->call = (uintptr_t)place->call;
	wait->body = (uintptr_t)place->body;
	wait_set(thread, wait);
	blocking_call_begin(&wait->blocking, STATE_LOCK, place->frame);
	if (wait->blocking.by_time)
		blocking_call_time(&wait->blocking);
	wait->begun = time_raw();
	return true;
}

static void write_wait(const struct omp_wait *wait, const struct region_place *place, uint64_t own, uint64_t now)
{
	struct thread *thread = current_thread;
	openmp_append(&(struct openmp_event){.what = WAIT,
			      .stack = openmp_wait_call(place).stack,
			      .region = thread->region,
			      .task = thread->task ? thread->task->number : 0,
			      .duration = own,
			      .waits = 1,
			      .construct = wait->construct},
		now);
}

static void add_wait(const struct omp_wait *wait, const struct region_place *place, uint64_t own, uint64_t now)
{
	struct wait_room *known = room();
	const void *call = place->body ? place->body : place->call;
	uint64_t region = current_thread->region, limit = __atomic_load_n(&long_wait, __ATOMIC_RELAXED) * WRITE_AFTER;
	if (!known) {
		write_wait(wait, place, own, now);
		return;
	}
	struct place_waits *at = &known->places[((uintptr_t)call >> 2 ^ (uintptr_t)call >> 7) % PLACES];
	if (at->call != call || at->region != region || at->construct != wait->construct || !at->stack) {
		if (at->waits)
			write_place(at, now);
		*at = (struct place_waits){.call = call,
			.region = region,
			.construct = wait->construct,
			.stack = openmp_wait_call(place).stack};
	}
	at->waits++;
	at->time += own;
	if (at->time >= limit)
		write_place(at, now);
}

static void record(const struct omp_wait *wait, const struct region_place *place, uint64_t now)
{
	uint64_t own = now - wait->begun;
	own -= wait->inner < own ? wait->inner : own;
	current_thread->waited += own;
	if (!__atomic_load_n(&long_wait, __ATOMIC_RELAXED))
		learn_long();
	if (own >= __atomic_load_n(&long_wait, __ATOMIC_RELAXED))
		write_wait(wait, place, own, now);
	else
		add_wait(wait, place, own, now);
}

void wait_end(struct omp_wait *wait, const struct region_place *place)
{
	struct thread *thread = current_thread;
	int saved = errno;
	if (!thread || thread->wait != wait)
		return;
	uint64_t now = time_raw();
	/* Those of a wait in which tasks ran may be theirs. */
	if (blocking_call_waited(&wait->blocking) && !wait->inner)
		blocking_call_take(&wait->blocking, place->frame);
	wait_set(thread, 0);
	if (guard_enter()) {
		if (!recording_paused())
			record(wait, place, now);
		guard_leave();
	}
	errno = saved;
}
