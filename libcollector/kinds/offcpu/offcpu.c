/* SPDX-License-Identifier: Apache-2.0 */
/* The kind offcpu: when and why a thread did not run, by the kernel's record of its context switches. The records are read at
   clock ticks, at the end of calls that waited, and at the thread's end. Its row comes after the clock's: its thread_stop finds
   the last tick recorded. */
#include "blocking_call.h"
#include "capture.h"
#include "claim.h"
#include "collector.h"
#include "cpu_time.h"
#include "guard.h"
#include "kind.h"
#include "memory.h"
#include "our_signal.h"
#include "pages.h"
#include "recording.h"
#include "run_delay.h"
#include "switch_ring.h"
#include "system_calls.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>

enum place {
	PLACE_NONE = STATE_VALUE(OFFCPU, place, none),
	PLACE_CALL = STATE_VALUE(OFFCPU, place, call),
	PLACE_INFERRED = STATE_VALUE(OFFCPU, place, inferred)
};

/* The part of another thread's stack that is looked at. */
#define COPY_MOST 65536u

/* Nanoseconds; less is not worth an event of its own. */
enum { DELAY_LEAST = 10000 };

/* Nanoseconds that nothing explains are recorded when they are so many, or at the end; both clocks are read one after another. */
enum { UNEXPLAINED_LEAST = 1000000, UNEXPLAINED_LEAST_AT_END = 20000 };

/* A time during which the thread did not run. */
struct interval {
	enum thread_state state;
	uint64_t from, to;
	uint32_t cpu;
	struct found_stack {
		uint32_t stack;
		enum place place;
	} found;
};

static void record(struct thread *thread, const struct interval *interval, const struct time_triple *now)
{
	struct event_head head = {
		.time = time_raw_at(interval->to, now), .cpu = interval->cpu, .stack = interval->found.stack};
	uint64_t fields[] = {
		[FIELD_INDEX(OFFCPU, duration)] = head.time - time_raw_at(interval->from, now),
		[FIELD_INDEX(OFFCPU, state)] = interval->state,
		[FIELD_INDEX(OFFCPU, place)] = interval->found.place,
	};
	if (!event_append(&thread->streams[KIND_OFFCPU], &head, fields))
		count(TALLY_events_lost_disk, 1);
}

/* A reading of the thread's records, until `now`; paused: they are left out. */
struct reading {
	struct thread *thread;
	struct time_triple now;
	uint64_t delay;     /* of the thread on the run queue, at `now`; 0: not known */
	uint64_t cpu_time;  /* of the thread, at `now` */
	uint64_t begun;     /* where the call began that has just ended, or that the thread is in */
	unsigned state;     /* of the thread if it waited in that; 0: there is none */
	const void *frame;  /* of a call that has just ended; 0: there is none */
	uint32_t of_call;   /* its stack; 0: not taken yet */
	uint32_t of_others; /* stack for other intervals; 0: none */
	bool paused;
};

/* The stack is taken for the first interval that needs it: most calls with a switch have one. */
static struct found_stack stack_for(struct reading *reading, bool in_call)
{
	if (reading->frame && !reading->of_call && (in_call || !reading->of_others))
		reading->of_call = capture_call(reading->thread, reading->frame).stack;
	if (in_call && reading->of_call)
		return (struct found_stack){reading->of_call, PLACE_CALL};
	uint32_t near = reading->of_others ? reading->of_others : reading->of_call;
	return (struct found_stack){near, near ? PLACE_INFERRED : PLACE_NONE};
}

/* The thread waited, and then could run and had no CPU; preempted: the latter alone. */
static void record_parts(const struct reading *reading, const struct interval *interval)
{
	struct thread_switches *switches = &reading->thread->switches;
	struct interval waited = *interval, runnable = *interval;
	uint64_t length = interval->to - interval->from;
	uint64_t delay = run_delay_take(switches, reading->delay, length, switches->preempted);
	if (delay < DELAY_LEAST && delay < length)
		delay = 0;
	runnable.state = STATE_RUNNABLE;
	runnable.from = waited.to = interval->to - delay;
	if (waited.to > waited.from)
		record(reading->thread, &waited, &reading->now);
	if (runnable.to > runnable.from)
		record(reading->thread, &runnable, &reading->now);
}

static void end_interval(struct reading *reading, uint64_t to, uint32_t cpu)
{
	struct thread_switches *switches = &reading->thread->switches;
	struct interval interval = {STATE_BLOCKED, switches->out, to, cpu, {0, PLACE_NONE}};
	bool in_call = reading->state && switches->out_at >= reading->begun;
	switches->out = 0;
	if (!interval.from || to <= interval.from)
		return;
	switches->off += to - interval.from;
	if (reading->paused)
		return;
	if (in_call)
		interval.state = reading->state;
	interval.found = stack_for(reading, in_call);
	record_parts(reading, &interval);
}

static void take_record(struct reading *reading, const struct switch_record *found)
{
	struct thread_switches *switches = &reading->thread->switches;
	switch (found->what) {
	case SWITCHED_OUT:
		switches->out = found->time;
		switches->out_at = found->at;
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

/* Records the time that is neither CPU time nor known to be off the CPU, if it is at least so much. */
static void account(const struct reading *reading, uint64_t least)
{
	struct thread_switches *switches = &reading->thread->switches;
	uint64_t now = reading->now.monotonic, used = reading->cpu_time - switches->from_cpu + switches->off;
	uint64_t passed = now - switches->from;
	if (!reading->paused && (passed < used || passed - used < least))
		return;
	if (!reading->paused)
		record(reading->thread,
			&(struct interval){STATE_UNEXPLAINED, now - (passed - used), now, 0, {0, PLACE_NONE}},
			&reading->now);
	switches->from = now;
	switches->from_cpu = reading->cpu_time;
	switches->off = 0;
}

static void take_all(struct reading *reading, uint64_t head)
{
	struct switch_record found;
	while (switch_ring_take(&reading->thread->switches, head, &found))
		take_record(reading, &found);
}

static void take_switches(struct reading *reading)
{
	reading->paused = recording_paused_in(reading->thread);
	uint64_t head = switches_recorded(&reading->thread->switches);
	time_now(&reading->now);
	reading->delay = run_delay_read(&reading->thread->switches, reading->now.monotonic);
	take_all(reading, head);
	run_delay_settle(&reading->thread->switches, reading->delay);
}

/* In the thread itself: what it runs now has no end yet. */
static void take_own(struct reading *reading, uint64_t least)
{
	take_switches(reading);
	reading->cpu_time = cpu_time_clock().cpu;
	account(reading, least);
}

static void ticked(struct thread *thread, const ucontext_t *context, uint32_t stack)
{
	struct thread_switches *switches = &thread->switches;
	struct reading reading = {
		.thread = thread, .begun = switches->begun, .state = switches->waiting, .of_others = stack};
	(void)context;
	if (!switches->ring || !claim_try(&switches->busy))
		return;
	take_own(&reading, UNEXPLAINED_LEAST);
	claim_leave(&switches->busy);
}

static enum thread_state state_of(const struct blocking_call *call)
{
	struct stat status;
	if (call->state != STATE_FILE || call->descriptor < 0 || system_call(SYS_fstat, call->descriptor, &status) != 0)
		return call->state;
	return S_ISSOCK(status.st_mode) ? STATE_NETWORK : STATE_FILE;
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
				.frame = frame,
				.of_others = thread->clock.last_stack};
			take_switches(&reading);
			claim_leave(&thread->switches.busy);
		}
		guard_leave();
	}
	errno = saved;
}

static bool wanted(void)
{
	return collector.settings.states && collector.settings.clock_interval && !collector.traced;
}

static void start(void)
{
	blocking_call_take = take_call;
}

static void thread_start(struct thread *thread)
{
	struct thread_switches *switches = &thread->switches;
	memset(switches, 0, sizeof *switches);
	switches->descriptor = switches->delays = -1;
	if (thread->clock.source != STATE_VALUE(THREAD, clock, perf))
		return;
	struct time_triple now;
	bool opened = switch_ring_open(switches);
	if (opened)
		run_delay_open(switches);
	count(opened ? TALLY_threads_switches : TALLY_threads_without_switches, 1);
	time_now(&now);
	switches->from = now.monotonic;
	switches->from_cpu = cpu_time_clock().cpu;
}

/* A reading outside of ticks and calls: the stack of the last tick is the nearest. */
static struct reading of_now(struct thread *thread)
{
	return (struct reading){.thread = thread,
		.begun = thread->switches.begun,
		.state = thread->switches.waiting,
		.of_others = thread->clock.last_stack};
}

static void thread_stop(struct thread *thread)
{
	struct thread_switches *switches = &thread->switches;
	if (!switches->ring)
		return;
	if (claim_try(&switches->busy)) { /* else the closing thread has taken what was left */
		struct reading reading = of_now(thread);
		take_own(&reading, UNEXPLAINED_LEAST_AT_END);
		claim_leave(&switches->busy);
	}
	run_delay_close(switches);
	switch_ring_close(switches);
}

/* Copies the other thread's stack from the frame of the call's wrapper on; the thread may go on, and end, meanwhile. Returns the
   size. */
static size_t copy_stack(const struct thread *thread, char *bytes)
{
	uintptr_t low = (uintptr_t)thread->switches.frame;
	size_t size = thread->stack_high > low ? thread->stack_high - low : COPY_MOST;
	size = size < COPY_MOST ? size : COPY_MOST;
	struct iovec to = {bytes, size}, from = {(void *)low, size};
	long got = low ? system_call(SYS_process_vm_readv, collector.process, &to, 1, &from, 1, 0) : 0;
	return got > 0 ? (size_t)got : 0;
}

static uint32_t stack_of_other(struct thread *thread)
{
	char *bytes = pages_map(COPY_MOST);
	size_t size = bytes ? copy_stack(thread, bytes) : 0;
	struct stack_copy copy = {(uintptr_t)thread->switches.frame, size, bytes, 0};
	uint32_t stack = size >= 2 * sizeof(uint64_t) ? capture_copied_call(thread, &copy).stack : 0;
	pages_unmap(bytes, COPY_MOST);
	return stack;
}

/* By the closing thread. A wait of the thread goes on: what of it has passed is recorded. */
static void take_of_other(struct thread *thread)
{
	struct reading reading = of_now(thread);
	if (reading.state)
		reading.of_call = stack_of_other(thread);
	take_switches(&reading);
	reading.cpu_time = cpu_time_of(thread->tid);
	end_interval(&reading, reading.now.monotonic, 0);
	account(&reading, UNEXPLAINED_LEAST_AT_END);
}

static void thread_abandon(struct thread *thread)
{
	struct thread_switches *switches = &thread->switches;
	switch_ring_silence(switches);
	if (!switches->ring)
		return;
	if (claim_take_over(&switches->busy))
		take_of_other(thread);
	else
		count(TALLY_events_lost_nested, 1);
}

/* Everything until now belongs to the state of now. Our signal is held back: a tick would find the records taken. */
static void thread_cut(struct thread *thread, const void *frame_address)
{
	struct thread_switches *switches = &thread->switches;
	bool held = our_signal_hold();
	if (switches->ring && claim_try(&switches->busy)) {
		struct reading reading = of_now(thread);
		if (!reading.of_others && !recording_paused_in(thread))
			reading.of_others = capture_call(thread, frame_address).stack;
		take_own(&reading, UNEXPLAINED_LEAST_AT_END);
		claim_leave(&switches->busy);
	}
	our_signal_release(held);
}

static void thread_silence(struct thread *thread)
{
	switch_ring_silence(&thread->switches);
}

const struct kind_operations offcpu_operations = {
	.wanted = wanted,
	.start = start,
	.thread_start = thread_start,
	.thread_stop = thread_stop,
	.thread_abandon = thread_abandon,
	.thread_cut = thread_cut,
	.thread_silence = thread_silence,
	.ticked = ticked,
};
