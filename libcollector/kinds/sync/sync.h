/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization tracing: an event for each wait of the target for a lock, a condition, a barrier, a semaphore or a thread
   that takes at least as long as the threshold. synchronization.def has the functions, wrappers.c stands in front of them. */
#ifndef SYNC_H
#define SYNC_H

#include "blocking_call.h"
#include "kinds.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Whether calls are traced now: none; waits from the threshold on (a lock that is free is taken and only counted); all; or none,
   but who watches waits is told of them. */
enum sync_tracing { SYNC_NOT_TRACED, SYNC_WAITS, SYNC_ALL, SYNC_WATCHED };
extern enum sync_tracing sync_tracing __attribute__((visibility("hidden")));

/* The objects that threads wait for. */
enum sync_object {
	SYNC_mutex = STATE_VALUE(SYNC, waited_for, mutex),
	SYNC_read_lock = STATE_VALUE(SYNC, waited_for, read_lock),
	SYNC_write_lock = STATE_VALUE(SYNC, waited_for, write_lock),
	SYNC_spin_lock = STATE_VALUE(SYNC, waited_for, spin_lock),
	SYNC_condition = STATE_VALUE(SYNC, waited_for, condition),
	SYNC_join = STATE_VALUE(SYNC, waited_for, join),
	SYNC_barrier = STATE_VALUE(SYNC, waited_for, barrier),
	SYNC_semaphore = STATE_VALUE(SYNC, waited_for, semaphore)
};

struct thread;

/* A call that is being made, in its wrapper's frame. */
struct sync_wait {
	struct _pthread_cleanup_buffer cleanup; /* first */
	const void *frame;                      /* of the wrapper */
	struct thread *thread;                  /* that counts it as begun, or 0 */
	uint64_t object, request;
	enum sync_object kind;
	struct blocking_call blocking;
	struct sync_stack {
		uint32_t node;       /* 0: not taken yet */
		uint32_t generation; /* in which it is true (capture_generation) */
	} stack;
};
/* Around the real call. The wait is recorded, too, if it is left by cancellation or by longjmp, both of which run libc's list
   of cleanups. `code`: 0 or an errno value. errno stays as it is. What is slow is done by the first: when the second runs, the
   target holds the lock, and others wait for it. `waited`: the object's number for waits (blocking_call.h). */
void sync_wait_begin(
	struct sync_wait *wait, enum sync_object kind, uint64_t object, uint64_t waited, const void *frame);
void sync_wait_end(struct sync_wait *wait, int code);

/* A call that did not wait. */
void sync_count_short(void);

/* In threshold.c: what an uncontended lock costs on average, and the threshold that the settings ask for, in raw time;
   says the threshold in the log. 0: everything. */
uint64_t sync_threshold(void);

/* In wrappers.c: finds out which locks may be taken by their "try" function. Once, before tracing begins. */
void sync_tries_learn(void);

#endif
