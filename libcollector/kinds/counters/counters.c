/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds overflow and counting: what a thread's counters record, from its start to its end. */
#include "architecture.h"
#include "capture.h"
#include "claim.h"
#include "collector.h"
#include "cpu.h"
#include "descriptors.h"
#include "guard.h"
#include "kind.h"
#include "late.h"
#include "our_signal.h"
#include "overflow.h"
#include "pages.h"
#include "perf_event.h"
#include "recording.h"
#include "thread_counters.h"
#include "wanted_counters.h"

/* A thread that stands where the overflow before had left it so many times in a row gets no further: its counter of a PMU counts
   more than an interval in our handler's return; or the instruction faults, and the kernel, instead of waiting for what the
   fault needs, gives up because our signal is pending, and has it fault again. */
enum { STILL_MOST = 16, STILL_MOST_IN_FAULT = 2 };

/* This counter has the rings of late ones read where no clock ticks. */
static const struct overflow_counter tick_counter = {.type = PERF_TYPE_SOFTWARE,
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.modes = MODE_USER | MODE_KERNEL,
	.interval = 10000000};

static struct thread_counter *counter_of(const struct thread *thread, const siginfo_t *info)
{
	struct thread_counters *counters = thread ? thread->counters : 0;
	for (unsigned i = 0; counters && i < counters->count; i++)
		if (counters->counter[i].signal_descriptor == info->si_fd)
			return &counters->counter[i];
	return 0;
}

static bool is_tick(const struct thread *thread, const siginfo_t *info)
{
	const struct thread_counters *counters = thread ? thread->counters : 0;
	return counters && counters->late_count && counters->tick.signal_descriptor == info->si_fd;
}

/* The stack with the innermost part that the ring tells; *leaf: what it is. */
static uint32_t refine(const struct overflow_counter *wanted, const struct ring_contents *contents, uint32_t stack,
	enum overflow_leaf *leaf)
{
	bool precise = contents->exact || wanted->type == PERF_TYPE_SOFTWARE;
	*leaf = LEAF_SKID;
	if (!contents->sampled || (contents->kernel ? !contents->kernel_depth : !precise))
		return stack;
	*leaf = precise ? LEAF_PRECISE : LEAF_SKID;
	return contents->kernel ? capture_kernel(stack, contents->kernel_frames, contents->kernel_depth)
				: capture_leaf(stack, contents->pc);
}

static void record_overflow(struct thread *thread, struct thread_counter *counter, const ucontext_t *context)
{
	enum overflow_leaf leaf = LEAF_SKID;
	uint32_t stack = 0;
	if (!counter->wanted->unrelated)
		stack = refine(
			counter->wanted, &thread->counters->contents, capture_signal(thread, context).stack, &leaf);
	struct event_head head = {
		.time = time_raw(), .cpu = thread->elsewhere ? current_cpu_by_kernel() : current_cpu(), .stack = stack};
	overflow_append(thread, counter, &head, counter->interval, leaf);
}

static uint64_t adapted_interval(struct thread_counter *counter)
{
	struct time_triple now;
	time_now(&now);
	return overflow_adapted_interval(counter, now.monotonic);
}

/* A hash that tells two moments of a thread apart which interrupt it at the same instruction. */
static uint64_t moment_of(const ucontext_t *context)
{
	const uint64_t *registers = registers_of(context);
	uint64_t hash = 0;
	for (unsigned i = 0; i < SAVED_COUNT; i++)
		hash = (hash ^ registers[i]) * 0x9E3779B97F4A7C15ull;
	return hash;
}

static bool counts_our_return(const struct overflow_counter *wanted)
{
	/* Software events and tracepoints happen at certain places of the kernel, of which a return from a handler passes none.
	   */
	return wanted->type != PERF_TYPE_SOFTWARE && wanted->type != PERF_TYPE_TRACEPOINT;
}

static bool stands_still(struct thread_counter *counter, const ucontext_t *context)
{
	bool in_return = counts_our_return(counter->wanted);
	uint64_t moment = in_return ? registers_of(context)[SAVED_PC] : moment_of(context);
	counter->still = moment == counter->last_moment ? counter->still + 1 : 0;
	counter->last_moment = moment;
	if (counter->still < (in_return ? STILL_MOST : STILL_MOST_IN_FAULT))
		return false;
	counter->still = 0;
	return true;
}

/* The interval of a PMU's counter is doubled for good; that of another for one overflow, which gets the thread over the
   instruction. */
static uint64_t interval_to_get_on(struct thread_counter *counter, const ucontext_t *context, uint64_t interval)
{
	if (counter->interval_kept) {
		interval = counter->interval_kept;
		counter->interval_kept = 0;
	}
	if (!stands_still(counter, context) || interval > INTERVAL_MOST / 2)
		return interval;
	counter->stalled++;
	if (!counts_our_return(counter->wanted))
		counter->interval_kept = interval;
	return 2 * interval;
}

static void choose_interval(struct thread_counter *counter, const ucontext_t *context)
{
	uint64_t interval = counter->wanted->ceiling ? adapted_interval(counter) : counter->interval;
	interval = interval_to_get_on(counter, context, interval);
	if (interval != counter->interval)
		thread_counter_set_interval(counter, interval);
}

static void take(struct thread *thread, struct thread_counter *counter)
{
	struct ring_contents *contents = &thread->counters->contents;
	ring_take(counter->ring, ring_sample_type(counter->wanted), contents);
	overflow_account(counter, contents->lost, contents->throttled);
}

static void overflow(struct thread *thread, struct thread_counter *counter, const ucontext_t *context)
{
	if (!claim_try(&thread->counters->busy))
		return; /* the closing thread has it */
	take(thread, counter);
	if (collector_recording() && !thread->inside) {
		thread->inside = 1;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		if (!recording_paused_in(thread))
			record_overflow(thread, counter, context);
		choose_interval(counter, context);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		thread->inside = 0;
	} else {
		count(TALLY_overflows_own, 1);
	}
	if (collector_recording())
		thread_counter_rearm(counter);
	claim_leave(&thread->counters->busy);
}

static bool owns(const struct thread *thread, const siginfo_t *info)
{
	return (info->si_code == POLL_IN || info->si_code == POLL_HUP) &&
	       (counter_of(thread, info) || is_tick(thread, info));
}

static void take_signal(struct thread *thread, const siginfo_t *info, const ucontext_t *context)
{
	struct thread_counter *counter = counter_of(thread, info);
	if (counter)
		overflow(thread, counter, context);
	else if (collector_recording())
		thread_counter_rearm(&thread->counters->tick);
}

/* The overflow is counted as lost. */
static void skip(struct thread *thread, const siginfo_t *info)
{
	struct thread_counter *counter = counter_of(thread, info);
	if (counter) {
		take(thread, counter);
		overflow_account(counter, 1, 0);
	} else {
		counter = &thread->counters->tick;
	}
	if (collector_recording())
		thread_counter_rearm(counter);
}

static bool may_fall_back(const struct thread *thread)
{
	return thread && thread->counters && thread->counters->count;
}

static void take_fallen_back(struct thread *thread, const ucontext_t *context)
{
	struct thread_counters *counters = thread ? thread->counters : 0;
	for (unsigned i = 0; counters && i < counters->count; i++)
		if (!counters->counter[i].late && ring_has_records(counters->counter[i].ring))
			overflow(thread, &counters->counter[i], context);
	if (counters && counters->late_count && collector_recording())
		thread_counter_rearm(&counters->tick);
}

static bool wanted(void)
{
	return wanted_overflows().count && !collector.traced;
}

static bool some_are_late(void)
{
	struct wanted_counters wanted = wanted_overflows();
	for (unsigned i = 0; i < wanted.count; i++)
		if (wanted.counter[i].delivery == DELIVERY_LATER)
			return true;
	return false;
}

static void start(void)
{
	descriptors_start();
	our_signal_start();
	if (some_are_late())
		late_start();
}

static void stop(void)
{
	our_signal_stop();
}

static bool open_counters(struct thread *thread)
{
	struct wanted_counters wanted = wanted_overflows();
	bool needs_tick = some_are_late() && !collector.settings.clock_interval;
	thread->gates = &thread->counters->gates;
	return thread_counters_open(
		thread->counters, wanted.counter, wanted.count, needs_tick ? &tick_counter : 0, thread->tid);
}

static void thread_start(struct thread *thread)
{
	if (!thread->counters)
		thread->counters = pages_map(sizeof *thread->counters);
	if (!thread->counters)
		count(TALLY_events_lost_memory, 1);
	else if (!open_counters(thread))
		count(TALLY_threads_without_counters, 1);
}

static void record_totals(struct thread *thread, const struct thread_counter *counter)
{
	struct counter_totals totals = thread_counter_read(counter);
	struct event_head head = {.time = time_raw(), .cpu = current_cpu(), .stack = 0};
	uint64_t fields[] = {
		[FIELD_INDEX(COUNTING, counter)] = (uint64_t)(counter - thread->counters->counter),
		[FIELD_INDEX(COUNTING, counted)] = totals.counted,
		[FIELD_INDEX(COUNTING, enabled)] = totals.enabled,
		[FIELD_INDEX(COUNTING, running)] = totals.running,
		[FIELD_INDEX(COUNTING, overflows)] = counter->overflows,
		[FIELD_INDEX(COUNTING, throttled)] = counter->throttled,
		[FIELD_INDEX(COUNTING, lost)] = counter->lost,
		[FIELD_INDEX(COUNTING, stalled)] = counter->stalled,
		[FIELD_INDEX(COUNTING, adapted)] = counter->adapted,
	};
	if (!event_append(&thread->streams[KIND_COUNTING], &head, fields))
		count(TALLY_events_lost_disk, 1);
}

static void end_counting(struct thread *thread)
{
	late_take_rest(thread);
	for (unsigned i = 0; i < thread->counters->count; i++)
		record_totals(thread, &thread->counters->counter[i]);
}

static void thread_stop(struct thread *thread)
{
	if (!thread->counters)
		return;
	thread_counters_silence(thread->counters);
	if (claim_try(&thread->counters->busy)) { /* else the closing thread has taken what was left */
		end_counting(thread);
		claim_leave(&thread->counters->busy);
	}
	thread_counters_close(thread->counters);
}

/* By the closing thread. The thread itself is to record no more. */
static void thread_abandon(struct thread *thread)
{
	if (!thread->counters)
		return;
	thread_counters_silence(thread->counters);
	if (claim_take_over(&thread->counters->busy))
		end_counting(thread);
	else
		count(TALLY_events_lost_nested, 1);
}

/* Everything until now belongs to the state of now. */
static void thread_cut(struct thread *thread, const void *frame_address)
{
	(void)frame_address;
	late_take_before_cut(thread);
}

static void thread_silence(struct thread *thread)
{
	if (thread->counters)
		thread_counters_silence(thread->counters);
}

const struct kind_operations overflow_operations = {
	.wanted = wanted,
	.start = start,
	.stop = stop,
	.owns = owns,
	.take = take_signal,
	.skip = skip,
	.may_fall_back = may_fall_back,
	.take_fallen_back = take_fallen_back,
	.handler_ends = late_take_in_handler,
};

/* Its row comes after those of the kinds that it must not count: its thread_start is late, its thread_stop early. */
const struct kind_operations counting_operations = {
	.wanted = wanted,
	.thread_start = thread_start,
	.thread_stop = thread_stop,
	.thread_abandon = thread_abandon,
	.thread_cut = thread_cut,
	.thread_silence = thread_silence,
};
