/* SPDX-License-Identifier: Apache-2.0 */
/* The sync kind: what is recorded of a wait, and what is only counted. */
#include "sync.h"
#include "capture.h"
#include "collector.h"
#include "cpu.h"
#include "guard.h"
#include "kind.h"
#include "recording.h"
#include "thread.h"
#include "threads.h"
#include "watched_wait.h"
#include <errno.h>

/* Declared by libc's headers for C++ alone. */
void _pthread_cleanup_push(struct _pthread_cleanup_buffer *buffer, void (*routine)(void *), void *argument);
void _pthread_cleanup_pop(struct _pthread_cleanup_buffer *buffer, int execute);

enum sync_tracing sync_tracing;
static uint64_t threshold; /* raw time */

/* Calls that did not wait reach the tally in batches: its cache line is shared by all threads. */
enum { COUNT_BATCH = 1024 };

static void flush_short(struct thread *thread)
{
	count(TALLY_sync_short, __atomic_exchange_n(&thread->short_waits, 0, __ATOMIC_RELAXED));
}

void sync_count_short(void)
{
	struct thread *thread = current_thread;
	if (!thread)
		count(TALLY_sync_short, 1);
	else if (++thread->short_waits >= COUNT_BATCH)
		flush_short(thread);
}

static void take_stack(struct thread *thread, struct sync_wait *wait)
{
	wait->stack.generation = capture_generation();
	wait->stack.node = capture_call(thread, wait->frame).stack;
}

static void append(struct thread *thread, struct sync_wait *wait, uint64_t grant, int code)
{
	if (!wait->stack.node || wait->stack.generation != capture_generation())
		take_stack(thread, wait);
	struct event_head head = {.time = grant, .cpu = current_cpu(), .stack = wait->stack.node};
	uint64_t fields[] = {
		[FIELD_INDEX(SYNC, duration)] = grant - wait->request,
		[FIELD_INDEX(SYNC, object)] = wait->object,
		[FIELD_INDEX(SYNC, waited_for)] = wait->kind,
		[FIELD_INDEX(SYNC, result)] = (unsigned)code,
	};
	if (!event_append(&thread->streams[KIND_SYNC], &head, fields))
		count(TALLY_events_lost_disk, 1);
}

static void record_wait(struct sync_wait *wait, int code)
{
	wait_ended(wait->frame);
	if (blocking_call_waited(&wait->blocking))
		blocking_call_take(&wait->blocking, wait->frame);
	if (sync_tracing == SYNC_WATCHED)
		return;
	uint64_t grant = time_raw();
	if (current_thread)
		current_thread->sums[SUM_SYNC_WAIT] += grant - wait->request;
	if (grant - wait->request < threshold) {
		sync_count_short();
		return;
	}
	int saved = errno;
	struct thread *thread = current_thread;
	if (!thread)
		thread = thread_begin(); /* if nobody has seen it yet */
	if (guard_enter()) {
		if (!recording_paused())
			append(thread, wait, grant, code);
		guard_leave();
	} else if (collector_recording()) {
		count(thread ? TALLY_events_lost_nested : TALLY_events_lost_ended, 1);
	}
	errno = saved;
}

/* The thread may have become known in the meantime, or forgotten by the child of a fork. */
static inline void count_ended(const struct sync_wait *wait)
{
	if (wait->thread && wait->thread == current_thread)
		wait->thread->waits_begun--;
}

/* The wait was left by cancellation or by a jump. */
static void leave(void *wait)
{
	count_ended(wait);
	record_wait(wait, ECANCELED);
}

/* A thread's first event takes memory and a place in the file from the kernel, and its first stack is read frame by frame. */
static void prepare(struct sync_wait *wait)
{
	int saved = errno;
	if (!current_thread)
		thread_begin(); /* if nobody has seen it yet */
	if (guard_enter()) {
		if (!recording_paused()) {
			take_stack(current_thread, wait);
			event_stream_prepare(&current_thread->streams[KIND_SYNC]);
		}
		guard_leave();
	}
	errno = saved;
}

void sync_wait_begin(struct sync_wait *wait, enum sync_object kind, uint64_t object, uint64_t waited, const void *frame)
{
	wait->frame = frame;
	wait->object = object;
	wait->kind = kind;
	wait->stack = (struct sync_stack){0, 0};
	/* Before the wait, and not after it: a thread that has just got a lock holds it, and what we do then makes others wait.
	   */
	if (sync_tracing != SYNC_WATCHED)
		prepare(wait);
	wait->thread = current_thread;
	if (wait->thread)
		wait->thread->waits_begun++;
	wait_begun(frame);
	blocking_call_begin_for(&wait->blocking, waited, true, frame);
	wait->request = time_raw();
	_pthread_cleanup_push(&wait->cleanup, leave, wait);
}

void sync_wait_end(struct sync_wait *wait, int code)
{
	_pthread_cleanup_pop(&wait->cleanup, 0);
	count_ended(wait);
	record_wait(wait, code);
}

static void tell_waits(void)
{
	if (sync_tracing == SYNC_NOT_TRACED)
		__atomic_store_n(&sync_tracing, SYNC_WATCHED, __ATOMIC_RELAXED);
}

static bool wanted(void)
{
	return collector.settings.sync != 0;
}

static void start(void)
{
	sync_tries_learn();
	threshold = sync_threshold();
	__atomic_store_n(&sync_tracing, threshold ? SYNC_WAITS : SYNC_ALL, __ATOMIC_RELAXED);
}

static void stop(void)
{
	__atomic_store_n(&sync_tracing, SYNC_NOT_TRACED, __ATOMIC_RELAXED);
}

/* Its own waits have ended: what is begun was left in a way that nobody told us. */
static void thread_stop(struct thread *thread)
{
	flush_short(thread);
	count(TALLY_sync_unfinished, __atomic_exchange_n(&thread->waits_begun, 0, __ATOMIC_RELAXED));
}

const struct kind_operations sync_operations = {
	.wanted = wanted,
	.start = start,
	.stop = stop,
	.thread_stop = thread_stop,
	.thread_abandon = thread_stop,
	.tell_waits = tell_waits,
};
