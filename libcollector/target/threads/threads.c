/* SPDX-License-Identifier: Apache-2.0 */
/* The list of the target's threads: their states are never freed, only used again. */
#include "threads.h"
#include "capture.h"
#include "collector.h"
#include "descriptors.h"
#include "kind.h"
#include "our_signal.h"
#include "pages.h"
#include "shared_memory.h"
#include "system_calls.h"
#include "waiters.h"
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

enum { CHUNK_SIZE = 64 * 1024, CACHE_LINE = 64 };

/* The calling thread's number and stack, if it runs on after its end. */
static __thread struct thread_past ended;
/* The stack of the thread that forked: in the child it is where it was. */
static struct stack_bounds forked_on;

static struct thread *all;    /* atomic; a list that only grows at its head */
static int free_count;        /* atomic: how many of them may be used again, at least */
static uint32_t last_number;  /* atomic */
static pthread_key_t end_key; /* its destructor is how we learn that a thread ends, however it does */
static bool end_key_made;

/* Memory that is handed out piece by piece. */
static struct chunk {
	uint64_t used; /* atomic */
} * chunk;             /* atomic */

static void *allocate(size_t size)
{
	size = (size + CACHE_LINE - 1) & ~(size_t)(CACHE_LINE - 1);
	for (;;) {
		struct chunk *now = __atomic_load_n(&chunk, __ATOMIC_ACQUIRE);
		if (now) {
			uint64_t at = __atomic_fetch_add(&now->used, size, __ATOMIC_RELAXED);
			if (at + size <= CHUNK_SIZE)
				return (char *)now + at;
		}
		struct chunk *fresh = pages_map(CHUNK_SIZE);
		if (!fresh)
			return 0;
		fresh->used = CACHE_LINE;
		if (!__atomic_compare_exchange_n(&chunk, &now, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			pages_unmap(fresh, CHUNK_SIZE);
	}
}

static bool claim(struct thread *thread)
{
	int free = THREAD_FREE;
	return __atomic_compare_exchange_n(
		&thread->live, &free, THREAD_STARTING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static struct thread *take_used(void)
{
	if (__atomic_load_n(&free_count, __ATOMIC_RELAXED) <= 0)
		return 0;
	for (struct thread *thread = __atomic_load_n(&all, __ATOMIC_ACQUIRE); thread; thread = thread->next)
		if (__atomic_load_n(&thread->live, __ATOMIC_RELAXED) == THREAD_FREE && claim(thread)) {
			__atomic_fetch_sub(&free_count, 1, __ATOMIC_RELAXED);
			return thread;
		}
	return 0;
}

static struct thread *take(void)
{
	struct thread *thread = take_used();
	if (thread)
		return thread;
	thread = allocate(sizeof(*thread));
	if (!thread)
		return 0;
	thread->live = THREAD_STARTING;
	thread->next = __atomic_load_n(&all, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&all, &thread->next, thread, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return thread;
}

static void give_back(struct thread *thread)
{
	__atomic_store_n(&thread->live, THREAD_FREE, __ATOMIC_RELEASE);
	__atomic_fetch_add(&free_count, 1, __ATOMIC_RELAXED);
}

/* Destructors run in rounds while a key has a value: asking for the last round lets the target's run before the end. */
static void at_thread_exit(void *rounds)
{
	uintptr_t left = (uintptr_t)rounds - 1;
	if (left == 0 || pthread_setspecific(end_key, (void *)left) != 0)
		thread_end();
}

/* The first thread comes here from the constructor, before there are others. */
static void notice_exit(void)
{
	if (!end_key_made)
		end_key_made = pthread_key_create(&end_key, at_thread_exit) == 0;
	if (end_key_made)
		pthread_setspecific(end_key, (void *)(uintptr_t)PTHREAD_DESTRUCTOR_ITERATIONS);
}

static void init(struct thread *thread, struct stack_bounds stack)
{
	memset(thread, 0, offsetof(struct thread, next));
	thread->number = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
	thread->tid = (pid_t)system_call(SYS_gettid);
	thread->inside = 1;
	if (thread->number == 1) {
		thread->recorded = collector.recorded;
		thread->own_since = collector.own_since;
	}
	thread->clock.descriptor = -1;
	thread->stack_low = stack.low;
	thread->stack_high = stack.high;
	for (unsigned kind = 0; kind < KIND_COUNT; kind++)
		event_stream_init(&thread->streams[kind], &collector.files[kind], thread->number);
	event_stream_init(&thread->heap.other, &collector.files[KIND_HEAP], thread->number);
}

struct thread_past thread_past(void)
{
	return ended;
}

struct thread *thread_begin(void)
{
	if (current_thread)
		return current_thread;
	struct stack_bounds stack = forked_on;
	forked_on = (struct stack_bounds){0, 0};
	return thread_begin_on(stack.high ? stack : stack_bounds_of_process());
}

struct thread *thread_begin_on(struct stack_bounds stack)
{
	if (current_thread)
		return current_thread;
	if (!collector_recording() || ended.number)
		return 0;
	struct own_use_span use = own_use_begin(collector.tallies);
	struct thread *thread = take();
	if (!thread)
		return 0;
	init(thread, stack);
	if (!capture_thread_begin(thread)) {
		count(TALLY_events_lost_memory, 1);
		give_back(thread);
		return 0;
	}
	current_thread = thread;
	our_signal_thread_start();
	kinds_thread_start(thread);
	notice_exit();
	__atomic_store_n(&thread->live, THREAD_LIVE, __ATOMIC_RELEASE);
	own_use_end(&use, collector.tallies);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	thread->inside = 0;
	return thread;
}

void thread_end(void)
{
	struct thread *thread = current_thread;
	if (!thread)
		return;
	ended = (struct thread_past){thread->number, {thread->stack_low, thread->stack_high}};
	thread->inside = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__atomic_exchange_n(&thread->ending, true, __ATOMIC_ACQ_REL)) {
		our_signal_thread_end();
		current_thread = 0; /* the closing thread may be at work on it: it is not used again */
		return;
	}
	kinds_thread_stop(thread);
	for (unsigned kind = 0; kind < KIND_COUNT; kind++)
		event_stream_release(&thread->streams[kind]);
	event_stream_release(&thread->heap.other);
	our_signal_thread_end();
	current_thread = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	capture_thread_end(thread);
	give_back(thread);
}

void threads_after_fork(void)
{
	descriptors_after_fork();
	our_signal_after_fork();
	waiters_forget();
	shared_memory_forked();
	collector.recorded = (struct recorded_time){0, 0};
	int free = 0;
	for (struct thread *thread = all; thread; thread = thread->next, free++)
		thread->live = THREAD_FREE;
	free_count = free;
	last_number = 0;
	forked_on = ended.stack;
	if (current_thread)
		forked_on = (struct stack_bounds){current_thread->stack_low, current_thread->stack_high};
	current_thread = 0;
	ended = (struct thread_past){0, {0, 0}};
}

struct thread *thread_find(pid_t tid)
{
	struct thread *thread = __atomic_load_n(&all, __ATOMIC_ACQUIRE);
	while (thread && (thread->tid != tid || __atomic_load_n(&thread->live, __ATOMIC_ACQUIRE) != THREAD_LIVE))
		thread = thread->next;
	return thread;
}

void threads_visit_others(void (*f)(struct thread *thread))
{
	for (struct thread *thread = __atomic_load_n(&all, __ATOMIC_ACQUIRE); thread; thread = thread->next)
		if (thread != current_thread && __atomic_load_n(&thread->live, __ATOMIC_ACQUIRE) == THREAD_LIVE &&
			!__atomic_exchange_n(&thread->ending, true, __ATOMIC_ACQ_REL))
			f(thread);
}
