/* SPDX-License-Identifier: Apache-2.0 */
/* Clock profiling: the life of a thread's clock, and what a tick records. */
#include "capture.h"
#include "claim.h"
#include "collector.h"
#include "cpu.h"
#include "descriptors.h"
#include "guard.h"
#include "kind.h"
#include "our_signal.h"
#include "recording.h"
#include "second_timer.h"
#include "source.h"
#include "thread.h"
#include <string.h>

#define UNSEEN_LEAST 1000000u /* ns; less is not worth an event */

static struct recorded_time recorded; /* atomic: what this process has recorded, images before this one included */
static uint64_t others_before;        /* CPU time of the process at the start that was not the first thread's */

static uint64_t interval(void)
{
	return collector.settings.clock_interval;
}

/* A number in (0, interval]: so a thread shorter than the interval has its fair chance of a tick. (splitmix64) */
static uint64_t first_interval(const struct thread *thread)
{
	uint64_t z = time_raw() + 0x9E3779B97F4A7C15ull * (uint64_t)thread->tid;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
	z = (z ^ z >> 27) * 0x94D049BB133111EBull;
	return 1 + (z ^ z >> 31) % interval();
}

__attribute__((hot)) static bool record_at(struct thread *thread, uint64_t time, uint32_t stack,
	struct tick_weight weight, uint64_t missed, enum tick_mode mode)
{
	struct event_head head = {
		.time = time, .cpu = thread->elsewhere ? current_cpu_by_kernel() : current_cpu(), .stack = stack};
	uint64_t fields[] = {
		[FIELD_INDEX(CLOCK, user)] = weight.user,
		[FIELD_INDEX(CLOCK, system)] = weight.system,
		[FIELD_INDEX(CLOCK, missed)] = missed,
		[FIELD_INDEX(CLOCK, mode)] = mode,
	};
	__atomic_fetch_add(&recorded.user, weight.user, __ATOMIC_RELAXED);
	__atomic_fetch_add(&recorded.system, weight.system, __ATOMIC_RELAXED);
	if (thread->clock.paused) {
		count(TALLY_time_paused, weight.user + weight.system);
		return true;
	}
	if (!stack && mode != TICK_COLLECTOR && mode != TICK_START)
		count(TALLY_time_unattributed, weight.user + weight.system);
	if (event_append(&thread->streams[KIND_CLOCK], &head, fields)) {
		count(TALLY_time_recorded, weight.user + weight.system);
		return true;
	}
	count(TALLY_events_lost_disk, 1);
	return false;
}

static bool record(
	struct thread *thread, uint32_t stack, struct tick_weight weight, uint64_t missed, enum tick_mode mode)
{
	return record_at(thread, time_raw(), stack, weight, missed, mode);
}

/* Time that waits for a tick is from before there could be one. */
static void record_start(struct thread *thread)
{
	struct tick_weight weight = split_rest(&thread->clock).weight;
	if (weight.user || weight.system)
		record(thread, 0, weight, 0, TICK_START);
}

/* The time since the last reading is the collector's own. */
static void record_own(struct thread *thread)
{
	struct cpu_time now = cpu_time_clock();
	struct tick_weight own = split_own(&thread->clock, &now);
	thread->own_since = 0;
	if (own.system)
		record(thread, 0, own, 0, TICK_COLLECTOR);
}

/* The time that no tick got: at most one event for user and one for system time. */
static void record_rest(struct thread *thread)
{
	struct split_rest rest = split_rest(&thread->clock);
	struct tick_weight user = {rest.weight.user, 0}, system = {0, rest.weight.system};
	if (rest.user_stack == rest.system_stack)
		user.system = system.system, system.system = 0;
	if (user.user || user.system)
		record(thread, rest.user_stack, user, 0, TICK_REMAINDER);
	if (system.system)
		record(thread, rest.system_stack, system, 0, TICK_REMAINDER);
}

/* Whether the time since the last reading is left out. What waits for a tick of its mode when a pause begins is of the time
   before. */
static bool is_paused(struct thread *thread)
{
	bool paused = recording_paused_in(thread);
	if (paused && !thread->clock.paused)
		record_rest(thread);
	thread->clock.paused = paused;
	return paused;
}

/* Ticks that were due since the last one and did not come: the timer counts them itself. */
static uint64_t missed_ticks(const struct thread_clock *clock, const siginfo_t *info, uint64_t passed)
{
	if (clock->source == CLOCK_TIMER)
		return info->si_overrun > 0 ? (uint64_t)info->si_overrun : 0;
	uint64_t due = (passed + interval() / 2) / interval();
	return due > 1 ? due - 1 : 0;
}

/* A perf event costs at each context switch, a timer does not. Who asks for ticks that are much finer than the timer's has them. */
static bool wants_timer(const struct thread *thread)
{
	enum { FINE = 950000 }; /* -p hi is 997 microseconds */
	return thread->switches.thin && interval() >= FINE;
}

static void change_source(struct thread *thread)
{
	struct thread_clock *clock = &thread->clock;
	clock->thin = !clock->thin;
	if (clock->source == CLOCK_NONE || (clock->thin && clock->source != CLOCK_PERF))
		return;
	source_end(clock);
	source_begin(clock, thread->tid, interval(), interval());
}

static void rearm(struct thread *thread, bool asked)
{
	struct thread_clock *clock = &thread->clock;
	second_timer_rearm(clock, interval());
	if (wants_timer(thread) != clock->thin) {
		change_source(thread);
		return;
	}
	/* The perf event has not ticked, if the timer beside it asked. */
	if (asked || source_rearm(clock, interval()))
		return;
	/* The target closed our descriptor behind our back. */
	source_end(clock);
	source_begin(clock, thread->tid, interval(), interval());
}

static void pass_over_tick(struct thread *thread)
{
	struct cpu_time now = cpu_time_clock();
	thread->clock.passed_over++;
	perf_take_mode(&thread->clock);
	cpu_time_account(&now);
	record(thread, 0, split_tick(&thread->clock, &now, TICK_UNKNOWN, 0), 0, TICK_UNKNOWN);
}

/* Returns where it hit. */
static enum tick_mode record_tick(struct thread *thread, const siginfo_t *info, const ucontext_t *context)
{
	struct thread_clock *clock = &thread->clock;
	struct cpu_time now = cpu_time_clock();
	uint64_t missed = missed_ticks(clock, info, now.cpu - clock->last_cpu);
	bool asked = second_timer_asks(clock, info);
	enum tick_mode mode = second_timer_mode(clock, asked, now.cpu, perf_take_mode(clock));
	if (split_wants_account(clock, now.cpu, mode))
		cpu_time_account(&now);
	struct captured captured = capture_signal(thread, context);
	clock->tick_time = time_raw();
	kinds_ticked(thread, context, captured.stack);
	struct tick_weight weight = split_tick(clock, &now, mode, captured.stack);
	if (record_at(thread, clock->tick_time, captured.stack, weight, missed, mode))
		count(TALLY_clock_ticks, 1);
	if (split_waits_long(clock, interval()))
		record_rest(thread);
	if (missed)
		count(TALLY_clock_ticks_missed, missed);
	if (asked)
		count(TALLY_clock_ticks_asked, 1);
	count(mode == TICK_UNKNOWN ? TALLY_split_by_rusage : TALLY_split_by_tick, 1);
	clock->ticks++;
	clock->missed += missed;
	return mode;
}

/* Whether it is a tick: that of a timer, or of what carries a descriptor of ours (no counter has owned it). */
__attribute__((hot)) static bool owns(const struct thread *thread, const siginfo_t *info)
{
	(void)thread;
	if (timer_owns(info))
		return true;
	return (info->si_code == POLL_IN || info->si_code == POLL_HUP) && descriptor_in_range(info->si_fd);
}

static bool may_fall_back(const struct thread *thread)
{
	return thread && thread->clock.source == CLOCK_PERF;
}

__attribute__((hot)) static void take(struct thread *thread, const siginfo_t *info, const ucontext_t *context)
{
	if (!thread || thread->clock.source == CLOCK_NONE || !claim_try(&thread->clock.busy))
		return;
	bool asked = second_timer_asks(&thread->clock, info);
	if (asked && !second_timer_hits(&thread->clock, context)) {
		claim_leave(&thread->clock.busy);
		return;
	}
	enum tick_mode mode = TICK_UNKNOWN;
	if (collector_recording() && !thread->inside && !thread->own_since) {
		thread->inside = 1;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		if (is_paused(thread))
			pass_over_tick(thread);
		else
			mode = record_tick(thread, info, context);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		thread->inside = 0;
	}
	if (collector_recording())
		rearm(thread, asked);
	if (mode == TICK_USER)
		split_handled(&thread->clock, cpu_time_clock().cpu);
	claim_leave(&thread->clock.busy);
}

static void take_fallen_back(struct thread *thread, const ucontext_t *context)
{
	static const siginfo_t nothing; /* only a timer's signals tell more, and those do not fall back */
	take(thread, &nothing, context);
}

/* The time of that tick is in the next one. */
static void skip(struct thread *thread, const siginfo_t *info)
{
	if (!thread || thread->clock.source == CLOCK_NONE || !claim_try(&thread->clock.busy))
		return;
	if (collector_recording())
		rearm(thread, second_timer_asks(&thread->clock, info));
	claim_leave(&thread->clock.busy);
}

static bool wanted(void)
{
	return interval() != 0 && !collector.traced;
}

static void start(void)
{
	struct cpu_time process = cpu_time_process();
	others_before = process.cpu - cpu_time_clock().cpu;
	recorded = collector.recorded;
	descriptors_start();
	our_signal_start();
}

/* CPU time of the process that is no thread's of ours: the kernel's work at the end of threads, threads that libc or a bare
   clone() made. It has no stack. */
static void record_unseen(struct thread *thread)
{
	struct cpu_time process = cpu_time_process();
	uint64_t seen = recorded.user + recorded.system + others_before;
	if (process.cpu < seen + UNSEEN_LEAST)
		return;
	uint64_t unseen = process.cpu - seen;
	uint64_t user = process.user > recorded.user ? process.user - recorded.user : 0;
	if (user > unseen)
		user = unseen;
	record(thread, 0, (struct tick_weight){user, unseen - user}, 0, TICK_REMAINDER);
}

static void stop(void)
{
	if (current_thread)
		record_unseen(current_thread);
	our_signal_stop();
}

static void count_source(const struct thread_clock *clock)
{
	static const enum tally tallies[] = {
		[CLOCK_NONE] = TALLY_threads_no_clock,
		[CLOCK_PERF] = TALLY_threads_perf_clock,
		[CLOCK_TIMER] = TALLY_threads_timer_clock,
	};
	count(tallies[clock->source], 1);
}

/* A thread's time counts from its creation, although its clock starts a little later; but not what another image of the
   process has recorded before it exec'd this one. */
static void thread_start(struct thread *thread)
{
	struct thread_clock *clock = &thread->clock;
	memset(clock, 0, sizeof(*clock));
	clock->paused = recording_paused_in(thread);
	struct cpu_time from = {.user = thread->recorded.user, .system = thread->recorded.system};
	from.cpu = from.user + from.system;
	split_begin(clock, &from);
	source_begin(clock, thread->tid, first_interval(thread), interval());
	count_source(clock);
	/* Until here it was nearly all the kernel, making the thread or process and its clock; less so where much is to be
	   linked. */
	struct cpu_time begun = cpu_time_clock();
	if (begun.cpu - from.cpu >= ACCOUNT_STEP)
		cpu_time_account(&begun);
	if (thread->own_since)
		begun.cpu = thread->own_since;
	split_overhead(clock, &begun);
	clock->unclocked = clock->last_cpu - from.cpu;
	if (thread->own_since) {
		record_start(thread);
		record_own(thread);
	}
}

static void thread_stop(struct thread *thread)
{
	struct thread_clock *clock = &thread->clock;
	struct cpu_time target = cpu_time_clock();
	if (!clock->ring || !clock->ticks || target.cpu >= ACCOUNT_TRUSTED)
		cpu_time_account(&target);
	if (thread->own_since)
		target.cpu = thread->own_since;
	source_end(clock);
	if (!claim_try(&clock->busy)) /* the closing thread has taken what was left */
		return;
	is_paused(thread);
	split_pass(clock, &target);
	if (thread->own_since) {
		record_rest(thread);
		record_own(thread);
		return;
	}
	struct cpu_time ours = cpu_time_clock();
	split_overhead(clock, &ours);
	record_rest(thread);
}

/* Our signal is held back, because a tick that finds the clock busy would be its last. */
static void thread_cut(struct thread *thread, const void *frame_address)
{
	struct thread_clock *clock = &thread->clock;
	bool held = our_signal_hold();
	if (claim_try(&clock->busy)) {
		uint32_t stack = is_paused(thread) ? 0 : capture_call(thread, frame_address).stack;
		struct cpu_time now = cpu_time_clock();
		cpu_time_account(&now);
		record(thread, stack, split_tick(clock, &now, TICK_UNKNOWN, stack), 0, TICK_REMAINDER);
		claim_leave(&clock->busy);
	}
	our_signal_release(held);
}

static void thread_abandon(struct thread *thread)
{
	struct thread_clock *clock = &thread->clock;
	source_silence(clock);
	if (!claim_take_over(&clock->busy)) {
		count(TALLY_events_lost_nested, 1);
		return;
	}
	/* Another thread's accounting cannot be read cheaply: its time is split as before. */
	struct cpu_time now = {.cpu = cpu_time_of(thread->tid), .accounted = true};
	uint64_t before = clock->last_user + clock->last_system;
	if (now.cpu < before)
		now.cpu = before;
	double share = before ? (double)clock->last_user / (double)before : 1;
	now.user = (uint64_t)(share * (double)now.cpu);
	now.system = now.cpu - now.user;
	is_paused(thread);
	split_pass(clock, &now);
	record_rest(thread);
}

static void thread_silence(struct thread *thread)
{
	source_silence(&thread->clock);
}

const struct kind_operations clock_operations = {
	.wanted = wanted,
	.start = start,
	.stop = stop,
	.thread_start = thread_start,
	.thread_stop = thread_stop,
	.thread_abandon = thread_abandon,
	.thread_cut = thread_cut,
	.thread_silence = thread_silence,
	.owns = owns,
	.take = take,
	.skip = skip,
	.may_fall_back = may_fall_back,
	.take_fallen_back = take_fallen_back,
};
