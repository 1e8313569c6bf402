/* SPDX-License-Identifier: Apache-2.0 */
/* The kind offcpu: when and why a thread did not run, by the kernel's record of its context switches. The records are read at
   clock ticks, at the end of calls that waited, when the thread ends waits of others, and at its end. Its row comes after the
   clock's: its thread_stop finds the last tick recorded. */
#include "architecture.h"
#include "capture.h"
#include "claim.h"
#include "collector.h"
#include "cpu_time.h"
#include "descriptor_objects.h"
#include "fault_signal.h"
#include "guard.h"
#include "intervals.h"
#include "kind.h"
#include "lateness.h"
#include "memory.h"
#include "our_signal.h"
#include "own_calls.h"
#include "pages.h"
#include "recording.h"
#include "run_delay.h"
#include "switch_ring.h"
#include "target_memory.h"
#include "thinning.h"
#include "waiters.h"
#include "wakings.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>

/* The part of another thread's stack that is looked at. */
#define COPY_MOST 65536u

/* A thread that has waited for a page once is to have the exact stack of the next time. */
static void want_faults(const struct reading *reading)
{
	if (__builtin_expect(reading->faulted, 0))
		fault_signal_open(&reading->thread->switches, reading->thread->tid);
}

/* After a reading, in the thread itself: what it lacked is opened. */
static void want_more(const struct reading *reading)
{
	want_faults(reading);
	if (own_calls_may_matter(reading->thread))
		own_calls_look(reading->thread);
}

/* The object of a wait that goes on: of many, which one ends it is not known yet. */
static uint64_t object_of(const struct thread_switches *switches)
{
	return switches->object == OBJECT_POLLED ? 0 : switches->object;
}

static void ticked(struct thread *thread, const ucontext_t *context, uint32_t stack)
{
	struct thread_switches *switches = &thread->switches;
	struct reading reading = {.thread = thread,
		.begun = switches->begun,
		.state = switches->waiting,
		.object = object_of(switches),
		.of_others = stack,
		.in_use = capture_in_use(thread, context)};
	if (!switches->source || !claim_try(&switches->busy))
		return;
	intervals_take_own(&reading, UNEXPLAINED_LEAST);
	want_more(&reading);
	thinning_look(switches, reading.now.monotonic);
	claim_leave(&switches->busy);
}

static uint64_t object_of_call(const struct blocking_call *call)
{
	uint64_t object = call->state == STATE_DESCRIPTORS ? current_thread->switches.polled : call->object;
	return object == OBJECT_POLLED ? 0 : object;
}

static enum thread_state state_of(const struct blocking_call *call)
{
	if (call->state == STATE_DESCRIPTORS && current_thread->switches.polled == OBJECT_POLLED)
		return STATE_SLEEP;
	bool is_socket = call->state == STATE_FILE && descriptor_object(call->descriptor, OBJECT_NONE) & OBJECT_SOCKET;
	return is_socket ? STATE_NETWORK : call->state;
}

/* A call of the target that waited has ended. Of what came before it, its stack tells less than the last tick's. */
static void take_call(const struct blocking_call *call, const void *frame)
{
	struct thread *thread = current_thread;
	int saved = errno;
	if (collector_is_recorded_process() && guard_enter()) {
		if (claim_try(&thread->switches.busy)) {
			struct reading reading = {.thread = thread,
				.begun = call->begun,
				.state = state_of(call),
				.object = object_of_call(call),
				.frame = frame,
				.in_use = (uintptr_t)frame,
				.of_others = thread->clock.last_stack};
			if (call->waking.time && !recording_paused_in(thread)) {
				reading.of_call = capture_call(thread, frame).stack;
				reading.ended = (struct ended_waits){call->waking, reading.of_call, PLACE_CALL, false};
			}
			if (call->by_time) {
				reading.cpu_time = cpu_time_clock().cpu;
				interval_of_call(&reading);
			} else {
				intervals_take(&reading);
				intervals_learn(&reading);
				want_more(&reading);
			}
			claim_leave(&thread->switches.busy);
		}
		guard_leave();
	}
	errno = saved;
}

/* A reading outside of ticks and calls: the stack of the last tick is the nearest. */
static struct reading of_now(struct thread *thread)
{
	return (struct reading){.thread = thread,
		.begun = thread->switches.begun,
		.state = thread->switches.waiting,
		.object = object_of(&thread->switches),
		.of_others = thread->clock.last_stack};
}

/* A call of the target has ended waits. */
static void take_waking(const struct waking *waking, const void *frame)
{
	struct thread *thread = current_thread;
	int saved = errno;
	if (collector_is_recorded_process() && guard_enter()) {
		if (thread->switches.source && claim_try(&thread->switches.busy)) {
			struct reading reading = of_now(thread);
			reading.in_use = (uintptr_t)frame;
			if (!recording_paused_in(thread))
				reading.ended = (struct ended_waits){
					*waking, capture_call(thread, frame).stack, PLACE_CALL, false};
			intervals_take(&reading);
			want_more(&reading);
			claim_leave(&thread->switches.busy);
		}
		guard_leave();
	}
	errno = saved;
}

/* The thread has waited for a page, and is at the instruction that needed it. */
static void take_fault(struct thread *thread, const ucontext_t *context)
{
	struct reading reading = of_now(thread);
	if (!recording_paused_in(thread)) {
		reading.of_others = capture_signal(thread, context).stack;
		reading.in_use = capture_in_use(thread, context);
		reading.fault_pc = registers_of(context)[SAVED_PC];
	}
	intervals_take(&reading);
}

static bool owns(const struct thread *thread, const siginfo_t *info)
{
	return thread && fault_signal_is(&thread->switches, info);
}

static void take(struct thread *thread, const siginfo_t *info, const ucontext_t *context)
{
	(void)info;
	if (!claim_try(&thread->switches.busy))
		return;
	if (collector_recording() && !thread->inside) {
		thread->inside = 1;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		take_fault(thread, context);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		thread->inside = 0;
	}
	claim_leave(&thread->switches.busy);
}

/* The next reading has it, without its stack. */
static void skip(struct thread *thread, const siginfo_t *info)
{
	(void)thread;
	(void)info;
}

static bool wanted(void)
{
	return collector.settings.states && collector.settings.clock_interval && !collector.traced;
}

static void start(void)
{
	blocking_call_take = take_call;
	waking_take = take_waking;
	waiters_share();
	descriptor_objects_start();
}

/* Calls are timed where the kernel does not let the thread have the record of its switches. */
static void thread_start(struct thread *thread)
{
	struct thread_switches *switches = &thread->switches;
	if (own_calls_recorded(switches))
		own_calls_forget(switches);
	memset(switches, 0, sizeof *switches);
	switches->descriptor = switches->faults = switches->faults_signal = switches->delays = -1;
	run_delay_open(switches);
	bool opened = thread->clock.source == STATE_VALUE(THREAD, clock, perf) && switch_ring_open(switches);
	count(opened ? TALLY_threads_switches : TALLY_threads_without_switches, 1);
	struct time_triple now;
	time_now(&now);
	uint64_t cpu_time = cpu_time_clock().cpu;
	switches->from = thread->began.monotonic;
	switches->from_cpu = thread->began.cpu;
	intervals_begin(&(struct reading){.thread = thread, .now = now, .cpu_time = cpu_time});
	lateness_start(&switches->lateness, now.monotonic, cpu_time);
	thinning_start(switches, now.monotonic);
	switches->source = opened ? STATES_BY_SWITCHES : STATES_BY_CALLS;
	if (own_calls_may_matter(thread))
		wakings_start(thread);
}

/* A thread that waits to join this one waits no more when it is gone, nor does the process's parent. The stack is that of the last
   tick: to take one here would cost more than many a brief process. */
static struct ended_waits ended_with(const struct thread *thread)
{
	uint32_t stack = thread->clock.last_stack;
	struct waking joiner = waking_begin((uint64_t)(uintptr_t)pthread_self());
	struct waking parent = {object_of_process(collector.process), time_raw()};
	return (struct ended_waits){
		collector.ending ? parent : joiner, stack, stack ? PLACE_INFERRED : PLACE_NONE, false};
}

/* The thread ends with its last reading (kinds/thread/). */
static void end_with(struct thread_switches *switches, const struct reading *last)
{
	switches->ended = last->now.raw;
	switches->ended_cpu = last->cpu_time;
}

static void thread_stop(struct thread *thread)
{
	struct thread_switches *switches = &thread->switches;
	if (!switches->source)
		return;
	waiters_leave(switches);
	thinning_end(switches);
	if (claim_try(&switches->busy)) { /* else the closing thread has taken what was left */
		struct reading reading = of_now(thread);
		reading.ended = ended_with(thread);
		intervals_take_own(&reading, UNEXPLAINED_LEAST_AT_END);
		end_with(switches, &reading);
		claim_leave(&switches->busy);
	}
	switches->source = STATES_NOT_KNOWN;
	run_delay_close(switches);
	fault_signal_close(switches);
	if (own_calls_recorded(switches))
		own_calls_end(switches);
	switch_ring_close(switches);
}

/* Copies the other thread's stack from the frame of the call's wrapper on; the thread may go on, and end, meanwhile. Returns the
   size. */
static size_t copy_stack(const struct thread *thread, char *bytes)
{
	uintptr_t low = (uintptr_t)thread->switches.frame;
	size_t size = thread->stack_high > low ? thread->stack_high - low : COPY_MOST;
	size = size < COPY_MOST ? size : COPY_MOST;
	return low ? target_memory_read((const void *)low, size, bytes) : 0;
}

static uint32_t stack_of_other(struct thread *thread)
{
	char *bytes = pages_map(COPY_MOST);
	size_t size = bytes ? copy_stack(thread, bytes) : 0;
	struct stack_copy copy = {(uintptr_t)thread->switches.frame, size, bytes, 0, 0, 0, 0};
	uint32_t stack = size >= 2 * sizeof(uint64_t) ? capture_copied_call(thread, &copy).stack : 0;
	pages_unmap(bytes, COPY_MOST);
	return stack;
}

/* By the closing thread. A wait of the thread goes on: what of it has passed is recorded. */
static void take_of_other(struct thread *thread)
{
	struct reading reading = of_now(thread);
	bool by_time = thread->switches.source == STATES_BY_CALLS;
	reading.cpu_time = cpu_time_of(thread->tid);
	if (reading.state)
		reading.of_call = stack_of_other(thread);
	if (by_time && reading.state && reading.begun) {
		interval_of_call(&reading);
	} else {
		intervals_take(&reading);
		interval_end(&reading, reading.now.monotonic, 0);
	}
	interval_account(&reading, UNEXPLAINED_LEAST_AT_END);
	end_with(&thread->switches, &reading);
}

static void thread_silence(struct thread *thread)
{
	switch_ring_silence(&thread->switches);
	fault_signal_silence(&thread->switches);
}

static void thread_abandon(struct thread *thread)
{
	struct thread_switches *switches = &thread->switches;
	thread_silence(thread);
	if (!switches->source)
		return;
	if (claim_take_over(&switches->busy))
		take_of_other(thread);
	else
		count(TALLY_events_lost_nested, 1);
	waiters_leave(switches);
}

/* Everything until now belongs to the state of now. Our signal is held back: a tick would find the records taken. */
static void thread_cut(struct thread *thread, const void *frame_address)
{
	struct thread_switches *switches = &thread->switches;
	bool held = our_signal_hold();
	if (switches->source && claim_try(&switches->busy)) {
		struct reading reading = of_now(thread);
		if (!reading.of_others && !recording_paused_in(thread))
			reading.of_others = capture_call(thread, frame_address).stack;
		intervals_take_own(&reading, UNEXPLAINED_LEAST_AT_END);
		claim_leave(&switches->busy);
	}
	our_signal_release(held);
}

const struct kind_operations offcpu_operations = {
	.wanted = wanted,
	.start = start,
	.thread_start = thread_start,
	.thread_stop = thread_stop,
	.thread_abandon = thread_abandon,
	.thread_cut = thread_cut,
	.thread_silence = thread_silence,
	.owns = owns,
	.take = take,
	.skip = skip,
	.ticked = ticked,
};
