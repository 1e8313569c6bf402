/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of one thread. They hang in gates: groups of perf events led by one that counts nothing, so that one call
   stops all of a group, and those of one group count the same stretches of time. */
#ifndef THREAD_COUNTERS_H
#define THREAD_COUNTERS_H

#include "gates.h"
#include "overflow_counter.h"
#include "ring.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct thread_counter {
	const struct overflow_counter *wanted; /* what it counts */
	int descriptor;                        /* atomic: perf event, or -1 (its number moves if the target takes it) */
	int signal_descriptor;                 /* the number that its signals carry */
	void *ring;                            /* 0: none */
	unsigned ring_pages;
	bool late; /* its overflows are read later (late.c): it never stops, and sends no signals */
	uint64_t interval_before, changed; /* of such: the interval until that time, CLOCK_MONOTONIC; 0: none */
	uint64_t begun;         /* of such: the ring's head when the wait began that the thread is in or was in last */
	uint64_t interval;      /* in force now */
	uint64_t last_time;     /* CLOCK_MONOTONIC of its last overflow, 0: none yet */
	uint64_t last_moment;   /* where that interrupted the thread, or a hash of all its registers there */
	unsigned still;         /* overflows in a row that found the thread where the one before had left it */
	uint64_t interval_kept; /* to be in force again after the next overflow; 0: none */
	uint64_t overflows, throttled, lost, stalled, adapted;
};

struct thread_counters {
	unsigned count;            /* 0: none are open */
	struct thread_gates gates; /* one per PMU that the counters are of */
	int busy; /* atomic: 1 while an overflow is recorded: by the thread, or by the closing one at its end */
	unsigned late_count; /* how many are read later */
	uint64_t unchanged;  /* in a wait: from this address on the stack is as it was at its begin; 0: in none */
	struct thread_counter counter[OVERFLOW_COUNTERS_MAX];
	struct thread_counter tick; /* where there is no clock: counts time, so that the late ones are read in time */
	struct ring_contents contents; /* of the ring that the handler reads: stacks of targets may be small */
};

/* Opens the counters of the calling thread and lets them count; `tick` is 0 or what the counter of that name is. False: they
   could not be opened; none is. */
bool thread_counters_open(struct thread_counters *counters, const struct overflow_counter *wanted, unsigned count,
	const struct overflow_counter *tick, pid_t tid);
/* Closes them, in the thread itself. */
void thread_counters_close(struct thread_counters *counters);
/* Stops them, from any thread of the process. */
void thread_counters_silence(struct thread_counters *counters);

/* The next overflow of a counter that has overflowed may come, after its interval. False: its descriptor is gone. */
bool thread_counter_rearm(struct thread_counter *counter);
/* Sets another interval. */
void thread_counter_set_interval(struct thread_counter *counter, uint64_t interval);

/* The count until now. */
struct counter_totals {
	uint64_t counted, enabled, running; /* enabled, running: nanoseconds */
};
struct counter_totals thread_counter_read(const struct thread_counter *counter);

#endif
