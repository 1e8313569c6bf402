/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of one thread. They hang in gates: groups of perf events led by one that counts nothing, so that one call
   stops all of a group, and those of one group count the same stretches of time. */
#ifndef THREAD_COUNTERS_H
#define THREAD_COUNTERS_H

#include "overflow_counter.h"
#include "ring.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define GATES_MAX 4u /* groups: one per PMU that the counters are of */

struct thread_counter {
	int descriptor;        /* atomic: perf event, or -1 (its number moves if the target takes it) */
	int signal_descriptor; /* the number that its signals carry */
	void *ring;            /* 0: none */
	uint64_t interval;     /* in force now */
	uint64_t last_time;    /* CLOCK_MONOTONIC of its last overflow, 0: none yet */
	uint64_t last_pc;      /* where that interrupted the thread */
	unsigned still;        /* overflows in a row that found the thread where the one before had left it */
	uint64_t overflows, throttled, lost, stalled, adapted;
};

struct thread_counters {
	unsigned count, gate_count; /* 0: none are open */
	int gates[GATES_MAX];       /* atomic: descriptors */
	struct thread_counter counter[OVERFLOW_COUNTERS_MAX];
	struct ring_contents contents; /* of the ring that the handler reads: stacks of targets may be small */
};

/* Opens the counters of the calling thread and lets them count. False: they could not be opened; none is. */
bool thread_counters_open(
	struct thread_counters *counters, const struct overflow_counter *wanted, unsigned count, pid_t tid);
/* Closes them, in the thread itself. */
void thread_counters_close(struct thread_counters *counters);
/* Stops them, from any thread of the process. */
void thread_counters_silence(struct thread_counters *counters);

/* The next overflow of a counter that has overflowed may come, after its interval. False: its descriptor is gone. */
bool thread_counter_rearm(struct thread_counter *counter);
/* Sets another interval. */
void thread_counter_set_interval(struct thread_counter *counter, uint64_t interval);

/* What it has counted until now. */
struct counter_totals {
	uint64_t counted, enabled, running; /* enabled, running: nanoseconds */
};
struct counter_totals thread_counter_read(const struct thread_counter *counter);

#endif
