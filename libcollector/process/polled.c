/* SPDX-License-Identifier: Apache-2.0 */
/* Which objects are waited for, and which one was ready: see polled.h. */
#include "polled.h"
#include "descriptor_objects.h"
#include "target_memory.h"

/* A poll or a select may have more descriptors than that: the others are not looked at. */
enum { LOOKED_AT_MOST = 128 };

enum {
	READ_EVENTS = POLLIN | POLLPRI | POLLRDNORM | POLLRDBAND | POLLHUP | POLLERR | POLLRDHUP,
	WRITE_EVENTS = POLLOUT | POLLWRNORM
};
_Static_assert(POLLIN == EPOLLIN && POLLOUT == EPOLLOUT && POLLRDHUP == EPOLLRDHUP, "both have the same events");

/* The object of a wait for these events of the descriptor; 0: none. */
static uint64_t object_of(int descriptor, uint32_t events)
{
	uint64_t object = descriptor >= 0 ? descriptor_object(descriptor, OBJECT_OPENED) : 0;
	if (!(object & OBJECT_SHARED))
		return 0;
	return events & READ_EVENTS ? object_read(object) : object_written(object) | OBJECT_ROOM;
}

static void mark(int descriptor, uint32_t events)
{
	uint64_t reads = events & READ_EVENTS ? object_of(descriptor, READ_EVENTS) : 0;
	uint64_t writes = events & WRITE_EVENTS ? object_of(descriptor, WRITE_EVENTS) : 0;
	if (reads)
		waiters_mark_polled(reads);
	if (writes)
		waiters_mark_polled(writes);
}

/* Calls `visit` for each descriptor of the sets until it returns true. */
static void visit_sets(
	const struct polled *polled, bool (*visit)(int descriptor, uint32_t events, void *context), void *context)
{
	unsigned looked_at = 0;
	for (uint64_t d = 0; d < polled->count && d < FD_SETSIZE && looked_at < LOOKED_AT_MOST; d++) {
		uint32_t events = (polled->readable && FD_ISSET(d, polled->readable) ? POLLIN : 0) |
				  (polled->writable && FD_ISSET(d, polled->writable) ? POLLOUT : 0);
		if (!events)
			continue;
		looked_at++;
		if (visit((int)d, events, context))
			return;
	}
}

static bool mark_one(int descriptor, uint32_t events, void *context)
{
	(void)context;
	mark(descriptor, events);
	return false;
}

static void mark_fds(const struct pollfd *given, uint64_t count, const void *frame)
{
	struct pollfd copy[LOOKED_AT_MOST];
	count = count < LOOKED_AT_MOST ? count : LOOKED_AT_MOST;
	const struct pollfd *fds = target_memory(given, count * sizeof *fds, frame, copy);
	for (uint64_t i = 0; fds && i < count; i++)
		mark(fds[i].fd, (uint32_t)fds[i].events | READ_EVENTS);
}

static void mark_sets(struct polled polled, const void *frame)
{
	fd_set readable, writable;
	polled.count = polled.count < FD_SETSIZE ? polled.count : FD_SETSIZE;
	/* The kernel reads whole words of as many bits as there are descriptors. */
	size_t size = (polled.count + 63) / 64 * 8;
	polled.readable = target_memory(polled.readable, size, frame, &readable);
	polled.writable = target_memory(polled.writable, size, frame, &writable);
	visit_sets(&polled, mark_one, 0);
}

/* Programs sleep in such calls, too. */
static bool waits_for_nothing(const struct polled *polled)
{
	return !polled->events &&
	       (!polled->count || (!polled->fds && !polled->readable && !polled->writable && !polled->others));
}

void polled_begin(const struct polled *polled, const void *frame)
{
	if (polled->fds)
		mark_fds(polled->fds, polled->count, frame);
	else if (!polled->events)
		mark_sets(*polled, frame);
	if (waits_for_nothing(polled))
		current_thread->switches.waiting = STATE_SLEEP;
	waiters_enter(&current_thread->switches, OBJECT_POLLED);
}

/* The data that each descriptor was given to an epoll with, and by data the descriptor that had such data last. */
static struct descriptor_table epoll_data;
enum { DATA_SLOTS = 4096 };
static int epoll_descriptors[DATA_SLOTS]; /* atomic; + 1: 0 is none */

static unsigned data_slot(uint64_t data)
{
	return data * 0x9E3779B97F4A7C15ull >> 52;
}

/* Data of 0 is as good as any, but stands for "not known" in the table. */
static uint64_t kept(uint64_t data)
{
	return data ?: ~0ull;
}

void polled_epoll_changed(int descriptor, const struct epoll_event *event)
{
	uint64_t *place = has_states(current_thread) ? descriptor_place_made(&epoll_data, descriptor) : 0;
	if (!place)
		return;
	__atomic_store_n(place, kept(event->data.u64), __ATOMIC_RELAXED);
	__atomic_store_n(&epoll_descriptors[data_slot(event->data.u64)], descriptor + 1, __ATOMIC_RELAXED);
	mark(descriptor, event->events);
}

/* Most programs give the descriptor itself, or a pointer. -1: not known. */
static int descriptor_of_data(uint64_t data)
{
	int likely = (int)(uint32_t)data;
	if (likely >= 0 && descriptor_number(&epoll_data, likely) == kept(data))
		return likely;
	likely = __atomic_load_n(&epoll_descriptors[data_slot(data)], __ATOMIC_RELAXED) - 1;
	return likely >= 0 && descriptor_number(&epoll_data, likely) == kept(data) ? likely : -1;
}

static bool take_first(int descriptor, uint32_t events, void *context)
{
	*(uint64_t *)context = object_of(descriptor, events);
	return true;
}

static uint64_t ready_object(const struct polled *polled)
{
	uint64_t object = 0;
	if (polled->events)
		return object_of(descriptor_of_data(polled->events->data.u64), polled->events->events);
	for (uint64_t i = 0; polled->fds && i < polled->count; i++)
		if (polled->fds[i].revents)
			return object_of(polled->fds[i].fd, (uint32_t)polled->fds[i].revents);
	if (!polled->fds)
		visit_sets(polled, take_first, &object);
	return object;
}

void polled_end(const struct polled *polled, int result)
{
	struct thread *thread = current_thread;
	if (!has_states(thread)) /* a fork child, by a handler of the target */
		return;
	struct thread_switches *switches = &thread->switches;
	waiters_leave(switches);
	bool may_have_waited = switches->source == STATES_BY_CALLS || switches_recorded(switches) != switches->begun;
	switches->polled = waits_for_nothing(polled)       ? OBJECT_POLLED
			   : may_have_waited && result > 0 ? ready_object(polled)
							   : 0;
}
