/* SPDX-License-Identifier: Apache-2.0 */
/* How many threads wait for an object, a lock, a thread or a pipe: whoever ends a wait asks first whether there is one, as most
   unlocks end none. Objects share numbers, so that there may seem to be one. Lock-free, async-signal-safe. */
#ifndef WAITERS_H
#define WAITERS_H

#include "collector.h"
#include "layout.h"
#include "thread.h"
#include <stdbool.h>
#include <stdint.h>

/* The parts of a shared object's number (layout.h: OBJECT_SHARED). Of a socket each direction is an object: they differ by their
   last bit. */
#define OBJECT_ROOM    (1ull << 62) /* who writes waits for it */
#define OBJECT_SOCKET  (1ull << 61)
#define OBJECT_PROCESS (1ull << 60) /* and its pid: who waits for it is its parent */
#define OBJECT_NUMBER  (OBJECT_PROCESS - 1)
/* Any of many: who waits in poll, select or epoll_wait. */
#define OBJECT_POLLED (OBJECT_SHARED | OBJECT_ROOM | OBJECT_SOCKET | OBJECT_PROCESS)

/* The object that stands for a process; 0 if that is no pid. */
static inline uint64_t object_of_process(int pid)
{
	return pid > 0 ? OBJECT_SHARED | OBJECT_PROCESS | (uint64_t)pid : 0;
}

extern uint32_t waiters[WAITERS] __attribute__((visibility("hidden")));
/* Those for shared objects, in memory of all processes of the experiment, else of this one. */
extern uint32_t *shared_waiters __attribute__((visibility("hidden")));
/* By slot of an object: whether calls that wait for many wait for it, too, from time to time. */
extern uint8_t *shared_polled __attribute__((visibility("hidden")));
/* The founder's file of waits; 0: this process has not mapped it. */
extern struct shared_waits *shared_waits __attribute__((visibility("hidden")));

static inline uint64_t waiters_slot(uint64_t object)
{
	return (object * 0x9E3779B97F4A7C15ull >> 32) % WAITERS;
}
static inline uint32_t *waiters_of(uint64_t object)
{
	return &(object & OBJECT_SHARED ? shared_waiters : waiters)[waiters_slot(object)];
}

static inline bool is_waited_for(uint64_t object)
{
	return __builtin_expect(__atomic_load_n(waiters_of(object), __ATOMIC_RELAXED) != 0, 0);
}
/* Likewise of a shared object. Threads that wait for many objects are not counted at each: it may be one that one of them has
   waited for before. */
static inline bool is_waited_for_or_polled(uint64_t object)
{
	return is_waited_for(object) ||
	       (__builtin_expect(__atomic_load_n(&shared_polled[waiters_slot(object)], __ATOMIC_RELAXED), 0) &&
		       is_waited_for(OBJECT_POLLED));
}
static inline void waiters_mark_polled(uint64_t object)
{
	uint8_t *mark = &shared_polled[waiters_slot(object)];
	if (!__atomic_load_n(mark, __ATOMIC_RELAXED))
		__atomic_store_n(mark, 1, __ATOMIC_RELAXED);
}

/* The thread waits for nothing, or for that. A wait that was left by a jump or by cancellation ends here, and one that goes on when
   the process ends. */
static inline void waiters_leave(struct thread_switches *switches)
{
	if (!__atomic_load_n(&switches->object, __ATOMIC_RELAXED))
		return;
	uint64_t object = __atomic_exchange_n(&switches->object, 0, __ATOMIC_RELAXED);
	if (object)
		__atomic_fetch_sub(waiters_of(object), 1, __ATOMIC_RELAXED);
}
static inline void waiters_enter(struct thread_switches *switches, uint64_t object)
{
	waiters_leave(switches);
	__atomic_fetch_add(waiters_of(object), 1, __ATOMIC_RELAXED);
	__atomic_store_n(&switches->object, object, __ATOMIC_RELAXED);
}

/* In a fork child, before any thread of it waits. */
void waiters_forget(void);
/* Maps the founder's file of waits, if there is one. */
void waiters_share(void);

/* The end of others' waits by the calling thread. */
struct waking {
	uint64_t object;
	uint64_t time; /* raw, before the call that ended them; 0: there were none */
};
static inline struct waking waking_begin(uint64_t object)
{
	return (struct waking){object, is_waited_for(object) ? time_raw() : 0};
}
static inline struct waking waking_begin_shared(uint64_t object)
{
	return (struct waking){object, object && is_waited_for_or_polled(object) ? time_raw() : 0};
}
/* Records it, after the call. The frame is that of the call's wrapper, as for capture_call(); errno stays as it is. */
typedef void waking_taker(const struct waking *waking, const void *frame);
extern waking_taker *waking_take __attribute__((visibility("hidden")));
static inline void waking_end(const struct waking *waking, const void *frame)
{
	if (waking->time)
		waking_take(waking, frame);
}

#endif
