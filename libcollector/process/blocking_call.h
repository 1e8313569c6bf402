/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the target that may wait, each with what it waits for. Where the kernel records the thread's context switches, those
   during the call are the call's; a call without one costs two readings of the record's end. Elsewhere the call is timed. */
#ifndef BLOCKING_CALL_H
#define BLOCKING_CALL_H

#include "collector.h"
#include "thread.h"
#include "waiters.h"
#include <linux/perf_event.h>

/* kinds.def: STATE(OFFCPU, state). */
enum thread_state {
	STATE_UNEXPLAINED = STATE_VALUE(OFFCPU, state, unexplained),
	STATE_RUNNABLE = STATE_VALUE(OFFCPU, state, runnable),
	STATE_BLOCKED = STATE_VALUE(OFFCPU, state, blocked),
	STATE_LOCK = STATE_VALUE(OFFCPU, state, lock),
	STATE_SLEEP = STATE_VALUE(OFFCPU, state, sleep),
	STATE_FILE = STATE_VALUE(OFFCPU, state, file),
	STATE_NETWORK = STATE_VALUE(OFFCPU, state, network),
	STATE_DESCRIPTORS = STATE_VALUE(OFFCPU, state, descriptors),
	STATE_CHILD = STATE_VALUE(OFFCPU, state, child),
	STATE_TEXT = STATE_VALUE(OFFCPU, state, text),
	STATE_DATA = STATE_VALUE(OFFCPU, state, data),
	STATE_STOPPED = STATE_VALUE(OFFCPU, state, stopped)
};

/* A call that is being made, in its wrapper's frame. */
struct blocking_call {
	uint64_t begun;          /* where the record of context switches ended, or raw time; 0: it is not timed */
	enum thread_state state; /* of the thread, if it waits */
	int descriptor;          /* of STATE_FILE: what it waits for; a socket is STATE_NETWORK. -1: none */
	uint64_t object;         /* what it waits for; 0: not known */
	bool by_time;            /* it is timed, if it may wait */
	struct waking waking;    /* the waits that it has ended, too; time 0: none */
};

/* This function takes the context switches of a call that has ended; the frame is its wrapper's, as for capture_call().
   errno stays as it is. */
typedef void blocking_call_taker(const struct blocking_call *call, const void *frame);
extern blocking_call_taker *blocking_call_take __attribute__((visibility("hidden")));

/* The place behind the last record of a thread's context switches. */
static inline __attribute__((always_inline)) uint64_t switches_recorded(const struct thread_switches *switches)
{
	const struct perf_event_mmap_page *control = switches->ring;
	return control ? __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE) : 0;
}

/* Whether its states are recorded. The kernel's record is not in the memory of the child of a bare fork system call, nor is such a
   child recorded. */
static inline __attribute__((always_inline)) bool has_states(const struct thread *thread)
{
	return thread && thread->switches.source && collector_recording();
}

/* Raw time from which on a timed call is looked at: what it waited. */
extern uint64_t blocking_call_long __attribute__((visibility("hidden")));

/* Member by member: what is written at once and read in parts is slow. */
static inline __attribute__((always_inline)) void blocking_call_begin(
	struct blocking_call *call, enum thread_state state, const void *frame)
{
	struct thread *thread = current_thread;
	call->begun = 0;
	call->state = state;
	call->descriptor = -1;
	call->object = 0;
	call->by_time = false;
	call->waking.time = 0;
	if (!has_states(thread))
		return;
	if (state == STATE_DESCRIPTORS)
		thread->switches.polled = 0;
	thread->switches.waiting = state;
	thread->switches.frame = frame;
	call->begun = thread->switches.begun = switches_recorded(&thread->switches);
	call->by_time = thread->switches.source == STATES_BY_CALLS;
}

/* Follows, where calls are timed: this one may wait. */
static inline void blocking_call_time(struct blocking_call *call)
{
	call->begun = current_thread->switches.begun = time_raw();
}

/* A call that waits for the object if `waits`. */
static inline __attribute__((always_inline)) void blocking_call_begin_for(
	struct blocking_call *call, uint64_t object, bool waits, const void *frame)
{
	blocking_call_begin(call, STATE_LOCK, frame);
	struct thread *thread = current_thread;
	if (waits && has_states(thread))
		waiters_enter(&thread->switches, object);
	if (waits && call->by_time)
		blocking_call_time(call);
	call->object = object;
}

/* Whether the thread was switched out in the call, or seems so. */
static inline __attribute__((always_inline)) bool blocking_call_waited(const struct blocking_call *call)
{
	struct thread *thread = current_thread;
	if (!has_states(thread))
		return false;
	thread->switches.waiting = 0;
	if (call->object && thread->switches.object == call->object)
		waiters_leave(&thread->switches);
	if (call->by_time)
		return call->begun && time_raw() - call->begun >= blocking_call_long;
	return __builtin_expect(switches_recorded(&thread->switches) != call->begun, 0);
}

/* The result of MADE, a call in which the thread may have that state. In the wrapper's own function, whose frame the stack is taken
   from. */
#define BLOCKING_CALL(type, state_, made) BLOCKING_CALL_ENDED_BY(type, state_, 0, made)
/* Likewise of a call that waits for an object, a lock or a thread, if `waits`. */
#define BLOCKING_CALL_FOR(type, object_, waits_, made)                                                                 \
	({                                                                                                             \
		struct blocking_call blocking_;                                                                        \
		blocking_call_begin_for(                                                                               \
			&blocking_, (uint64_t)(uintptr_t)(object_), waits_, __builtin_frame_address(0));               \
		type blocked_ = made;                                                                                  \
		if (blocking_call_waited(&blocking_))                                                                  \
			blocking_call_take(&blocking_, __builtin_frame_address(0));                                    \
		blocked_;                                                                                              \
	})
/* Likewise of a call that tells afterwards who ended its wait: object_, an expression over `result`, is looked at if it waited. */
#define BLOCKING_CALL_ENDED_BY(type, state_, object_, made)                                                            \
	({                                                                                                             \
		struct blocking_call blocking_;                                                                        \
		blocking_call_begin(&blocking_, state_, __builtin_frame_address(0));                                   \
		if (blocking_.by_time)                                                                                 \
			blocking_call_time(&blocking_);                                                                \
		type result = made;                                                                                    \
		if (blocking_call_waited(&blocking_)) {                                                                \
			blocking_.object = object_;                                                                    \
			blocking_call_take(&blocking_, __builtin_frame_address(0));                                    \
		}                                                                                                      \
		result;                                                                                                \
	})
/* A wait for a child; pid_, an expression over `result`, is the one that ended it (0 or less: none). */
#define BLOCKING_CALL_CHILD(type, pid_, made) BLOCKING_CALL_ENDED_BY(type, STATE_CHILD, object_of_process(pid_), made)

#endif
