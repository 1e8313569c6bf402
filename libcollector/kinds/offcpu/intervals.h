/* SPDX-License-Identifier: Apache-2.0 */
/* Making intervals off the CPU of the records that the kernel wrote of a thread's context switches. The caller has claimed the
   thread's switches. Async-signal-safe. */
#ifndef INTERVALS_H
#define INTERVALS_H

#include "blocking_call.h"
#include "layout.h"
#include <stdbool.h>
#include <stdint.h>

enum place {
	PLACE_NONE = STATE_VALUE(OFFCPU, place, none),
	PLACE_CALL = STATE_VALUE(OFFCPU, place, call),
	PLACE_INFERRED = STATE_VALUE(OFFCPU, place, inferred)
};

/* Nanoseconds that nothing explains are recorded when they are so many, or at the end; both clocks are read one after another. */
enum { UNEXPLAINED_LEAST = 1000000, UNEXPLAINED_LEAST_AT_END = 20000 };

/* A reading of the thread's records, until `now`; paused: they are left out. */
struct reading {
	struct thread *thread;
	struct time_triple now;
	uint64_t delay;     /* of the thread on the run queue, at `now`; 0: not known */
	uint64_t preempted; /* what of it are intervals that began with a preemption and are not recorded yet */
	uint64_t cpu_time;  /* of the thread, at `now` */
	uint64_t
		begun; /* where the call began that has just ended, or that the thread is in; raw time of a timed one */
	unsigned state;     /* of the thread if it waited in that; 0: there is none */
	const void *frame;  /* of a call that has just ended; 0: there is none */
	uint64_t object;    /* that it waits for; 0: not known */
	uint32_t of_call;   /* its stack; 0: not taken yet */
	uint32_t of_others; /* stack for other intervals; 0: none */
	uint64_t in_use;    /* from this address on the stack is the target's as it is now; 0: not known */
	uint64_t fault_pc;  /* the instruction of the page fault that has that stack; 0: none has */
	struct ended_waits {
		struct waking waking; /* time 0: there are none */
		uint32_t stack;
		enum place place;
		bool recorded;
	} ended; /* is recorded among the intervals, in the order of time */
	bool paused;
	bool faulted; /* found: the thread has waited for a page */
};

/* Records for how long the thread was on the run queue since its recording began, until `now`: no switch was recorded yet. */
void intervals_begin(struct reading *reading);
/* Records all intervals until now, and the ended waits. */
void intervals_take(struct reading *reading);
/* After that, in the thread itself: intervals are corrected by what they have in common with CPU time (lateness.h). */
void intervals_learn(struct reading *reading);
/* Likewise in the thread itself, with the time that is neither CPU time nor known to be off the CPU, if it is at least so much. */
void intervals_take_own(struct reading *reading, uint64_t least);

/* Records the interval of a timed call that began at `begun` and ends now, as far as it was no CPU time (`cpu_time`). */
void interval_of_call(struct reading *reading);

/* Ends the interval that goes on, if there is one. */
void interval_end(struct reading *reading, uint64_t to, uint32_t cpu);
/* Records the time that nothing explains, if it is at least so much. */
void interval_account(struct reading *reading, uint64_t least);

#endif
