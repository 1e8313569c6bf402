/* SPDX-License-Identifier: Apache-2.0 */
/* How many threads of the process wait for an object, a lock or a thread: whoever ends a wait asks first whether there is one, as
   most unlocks end none. Objects share numbers, so that there may seem to be one. Lock-free, async-signal-safe. */
#ifndef WAITERS_H
#define WAITERS_H

#include "collector.h"
#include "thread.h"
#include <stdbool.h>
#include <stdint.h>

enum { WAITER_BITS = 10 };
extern uint32_t waiters[1 << WAITER_BITS] __attribute__((visibility("hidden")));

static inline uint32_t *waiters_of(uint64_t object)
{
	return &waiters[object * 0x9E3779B97F4A7C15ull >> (64 - WAITER_BITS)];
}

static inline bool is_waited_for(uint64_t object)
{
	return __builtin_expect(__atomic_load_n(waiters_of(object), __ATOMIC_RELAXED) != 0, 0);
}

/* The thread waits for nothing, or for that. A wait that was left by a jump or by cancellation ends here. */
static inline void waiters_leave(struct thread_switches *switches)
{
	if (switches->object)
		__atomic_fetch_sub(waiters_of(switches->object), 1, __ATOMIC_RELAXED);
	switches->object = 0;
}
static inline void waiters_enter(struct thread_switches *switches, uint64_t object)
{
	waiters_leave(switches);
	__atomic_fetch_add(waiters_of(object), 1, __ATOMIC_RELAXED);
	switches->object = object;
}

/* In a fork child, before any thread of it waits. */
void waiters_forget(void);

/* The end of others' waits by the calling thread. */
struct waking {
	uint64_t object;
	uint64_t time; /* raw, before the call that ended them; 0: there were none */
};
static inline struct waking waking_begin(uint64_t object)
{
	return (struct waking){object, is_waited_for(object) ? time_raw() : 0};
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
