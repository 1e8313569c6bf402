/* SPDX-License-Identifier: Apache-2.0 */
/* The kind offcpu: when and why a thread did not run, by the kernel's record of its context switches. The records are read at
   clock ticks and at the thread's end. Its row comes after the clock's: its thread_stop finds the last tick recorded. */
#include "capture.h"
#include "collector.h"
#include "cpu_time.h"
#include "kind.h"
#include "our_signal.h"
#include "recording.h"
#include "switch_ring.h"
#include "system_calls.h"
#include <string.h>

enum state {
	UNEXPLAINED = STATE_VALUE(OFFCPU, state, unexplained),
	RUNNABLE = STATE_VALUE(OFFCPU, state, runnable),
	BLOCKED = STATE_VALUE(OFFCPU, state, blocked)
};

/* How long the closing thread waits for another thread that reads its records. */
enum { TAKE_OVER_TRIES = 1000 };

/* Nanoseconds that nothing explains are recorded when they are so many, or at the end; both clocks are read one after another. */
enum { UNEXPLAINED_LEAST = 1000000, UNEXPLAINED_LEAST_AT_END = 20000 };

static bool try_busy(struct thread_switches *switches)
{
	int free = 0;
	return __atomic_compare_exchange_n(&switches->busy, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void leave_busy(struct thread_switches *switches)
{
	__atomic_store_n(&switches->busy, 0, __ATOMIC_RELEASE);
}

/* What the thread did not run from one moment to another. */
struct interval {
	enum state state;
	uint64_t from, to;
	uint32_t cpu, stack;
};

static void record(struct thread *thread, const struct interval *interval, const struct time_triple *now)
{
	struct event_head head = {
		.time = time_raw_at(interval->to, now), .cpu = interval->cpu, .stack = interval->stack};
	uint64_t fields[] = {
		[FIELD_INDEX(OFFCPU, duration)] = head.time - time_raw_at(interval->from, now),
		[FIELD_INDEX(OFFCPU, state)] = interval->state,
	};
	if (!event_append(&thread->streams[KIND_OFFCPU], &head, fields))
		count(TALLY_events_lost_disk, 1);
}

/* Where the thread's records are read: until `now`; paused: they are left out. */
struct reading {
	struct thread *thread;
	struct time_triple now;
	uint64_t cpu_time; /* of the thread, at `now` */
	uint32_t stack;    /* that it was found with; 0: none */
	bool paused;
};

static void end_interval(const struct reading *reading, uint64_t to, uint32_t cpu)
{
	struct thread_switches *switches = &reading->thread->switches;
	if (switches->out && to > switches->out) {
		switches->off += to - switches->out;
		if (!reading->paused)
			record(reading->thread,
				&(struct interval){switches->preempted ? RUNNABLE : BLOCKED, switches->out, to, cpu,
					reading->stack},
				&reading->now);
	}
	switches->out = 0;
}

static void take_record(const struct reading *reading, const struct switch_record *found)
{
	struct thread_switches *switches = &reading->thread->switches;
	switch (found->what) {
	case SWITCHED_OUT:
		switches->out = found->time;
		switches->preempted = found->preempted;
		break;
	case SWITCHED_IN:
		end_interval(reading, found->time, found->cpu);
		break;
	case SWITCHES_LOST:
		count(TALLY_switches_lost, found->lost);
		switches->out = 0;
		break;
	}
}

/* What of the time is neither CPU time nor known to be off the CPU. */
static void account(const struct reading *reading, uint64_t least)
{
	struct thread_switches *switches = &reading->thread->switches;
	uint64_t now = reading->now.monotonic, used = reading->cpu_time - switches->from_cpu + switches->off;
	uint64_t passed = now - switches->from;
	if (!reading->paused && (passed < used || passed - used < least))
		return;
	if (!reading->paused)
		record(reading->thread, &(struct interval){UNEXPLAINED, now - (passed - used), now, 0, 0},
			&reading->now);
	switches->from = now;
	switches->from_cpu = reading->cpu_time;
	switches->off = 0;
}

static void take_all(const struct reading *reading, uint64_t head)
{
	struct switch_record found;
	while (switch_ring_take(&reading->thread->switches, head, &found))
		take_record(reading, &found);
}

/* In the thread itself: what it runs now has no end yet. */
static void take_own(struct thread *thread, uint32_t stack, uint64_t least)
{
	struct thread_switches *switches = &thread->switches;
	struct reading reading = {.thread = thread, .stack = stack, .paused = recording_paused_in(thread)};
	uint64_t head = switch_ring_head(switches);
	time_now(&reading.now);
	reading.cpu_time = cpu_time_clock().cpu;
	take_all(&reading, head);
	account(&reading, least);
}

static void ticked(struct thread *thread, const ucontext_t *context, uint32_t stack)
{
	(void)context;
	if (!thread->switches.ring || !try_busy(&thread->switches))
		return;
	take_own(thread, stack, UNEXPLAINED_LEAST);
	leave_busy(&thread->switches);
}

static bool wanted(void)
{
	return collector.settings.states && collector.settings.clock_interval && !collector.traced;
}

static void thread_start(struct thread *thread)
{
	struct thread_switches *switches = &thread->switches;
	memset(switches, 0, sizeof *switches);
	switches->descriptor = -1;
	if (thread->clock.source != STATE_VALUE(THREAD, clock, perf))
		return;
	struct time_triple now;
	bool opened = switch_ring_open(switches);
	count(opened ? TALLY_threads_switches : TALLY_threads_without_switches, 1);
	time_now(&now);
	switches->from = now.monotonic;
	switches->from_cpu = cpu_time_clock().cpu;
}

static void thread_stop(struct thread *thread)
{
	struct thread_switches *switches = &thread->switches;
	if (!switches->ring)
		return;
	if (try_busy(switches)) { /* else the closing thread has taken what was left */
		take_own(thread, 0, UNEXPLAINED_LEAST_AT_END);
		leave_busy(switches);
	}
	switch_ring_close(switches);
}

/* By the closing thread. A wait of the thread goes on: what of it has passed is recorded. */
static void take_of_other(struct thread *thread)
{
	struct thread_switches *switches = &thread->switches;
	struct reading reading = {.thread = thread, .paused = recording_paused_in(thread)};
	reading.cpu_time = cpu_time_of(thread->tid);
	uint64_t head = switch_ring_head(switches);
	time_now(&reading.now);
	take_all(&reading, head);
	end_interval(&reading, reading.now.monotonic, 0);
	account(&reading, UNEXPLAINED_LEAST_AT_END);
}

static void thread_abandon(struct thread *thread)
{
	struct thread_switches *switches = &thread->switches;
	switch_ring_silence(switches);
	for (int i = 0; switches->ring && i < TAKE_OVER_TRIES; i++) {
		if (try_busy(switches)) {
			take_of_other(thread);
			return;
		}
		system_call(SYS_sched_yield);
	}
}

/* Everything until now belongs to the state of now. Our signal is held back: a tick would find the records taken. */
static void thread_cut(struct thread *thread, const void *frame_address)
{
	struct thread_switches *switches = &thread->switches;
	bool held = our_signal_hold();
	if (switches->ring && try_busy(switches)) {
		uint32_t stack = recording_paused_in(thread) ? 0 : capture_call(thread, frame_address).stack;
		take_own(thread, stack, UNEXPLAINED_LEAST_AT_END);
		leave_busy(switches);
	}
	our_signal_release(held);
}

static void thread_silence(struct thread *thread)
{
	switch_ring_silence(&thread->switches);
}

const struct kind_operations offcpu_operations = {
	.wanted = wanted,
	.thread_start = thread_start,
	.thread_stop = thread_stop,
	.thread_abandon = thread_abandon,
	.thread_cut = thread_cut,
	.thread_silence = thread_silence,
	.ticked = ticked,
};
