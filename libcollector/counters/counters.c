/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds overflow and counting: what a thread's counters record, from its start to its end. */
#include "counters.h"
#include "architecture.h"
#include "capture.h"
#include "collector.h"
#include "descriptors.h"
#include "guard.h"
#include "kind.h"
#include "our_signal.h"
#include "pages.h"
#include "perf_event.h"
#include "recording.h"

/* kinds.def: STATE(OVERFLOW, mode), STATE(OVERFLOW, leaf) */
enum overflow_mode { OVERFLOW_UNKNOWN, OVERFLOW_USER, OVERFLOW_KERNEL };
enum overflow_leaf { LEAF_SKID, LEAF_PRECISE };

/* A thread that stands where the overflow before had left it so many times in a row gets no further than our handler's
   return: its counter counts more than an interval there. */
enum { STILL_MOST = 16 };

#define INTERVAL_MOST (UINT32_MAX / 2u)

static struct overflow_counter wanted_counters[OVERFLOW_COUNTERS_MAX];
static unsigned wanted_count;

static uint32_t current_cpu(void)
{
	unsigned cpu = 0;
	system_call(SYS_getcpu, &cpu, 0, 0);
	return cpu;
}

static const struct overflow_counter *described(const struct thread *thread, const struct thread_counter *counter)
{
	return &wanted_counters[counter - thread->counters->counter];
}

static struct thread_counter *counter_of(const siginfo_t *info)
{
	struct thread_counters *counters = current_thread ? current_thread->counters : 0;
	for (unsigned i = 0; counters && i < counters->count; i++)
		if (counters->counter[i].signal_descriptor == info->si_fd)
			return &counters->counter[i];
	return 0;
}

/* The stack with the innermost part that the ring tells; *leaf: what it is. */
static uint32_t refine(const struct overflow_counter *wanted, const struct ring_contents *contents, uint32_t stack,
	enum overflow_leaf *leaf)
{
	*leaf = LEAF_SKID;
	if (!contents->sampled)
		return stack;
	if (contents->kernel)
		return contents->kernel_depth ? capture_kernel(stack, contents->kernel_frames, contents->kernel_depth)
					      : stack;
	if (!contents->exact && wanted->type != PERF_TYPE_SOFTWARE)
		return stack;
	*leaf = LEAF_PRECISE;
	return capture_leaf(stack, contents->pc);
}

static void record(struct thread *thread, struct thread_counter *counter, const ucontext_t *context)
{
	const struct overflow_counter *wanted = described(thread, counter);
	const struct ring_contents *contents = &thread->counters->contents;
	enum overflow_leaf leaf = LEAF_SKID;
	uint32_t stack = 0;
	if (!wanted->unrelated)
		stack = refine(wanted, contents, capture_signal(thread, context).stack, &leaf);
	struct event_head head = {.time = time_raw(), .cpu = current_cpu(), .stack = stack};
	uint64_t fields[] = {
		[FIELD_INDEX(OVERFLOW, counter)] = (uint64_t)(counter - thread->counters->counter),
		[FIELD_INDEX(OVERFLOW, interval)] = counter->interval,
		[FIELD_INDEX(OVERFLOW, mode)] = !contents->sampled ? OVERFLOW_UNKNOWN
						: contents->kernel ? OVERFLOW_KERNEL
								   : OVERFLOW_USER,
		[FIELD_INDEX(OVERFLOW, leaf)] = leaf,
		[FIELD_INDEX(OVERFLOW, address)] = contents->address,
		[FIELD_INDEX(OVERFLOW, source)] = contents->source,
		[FIELD_INDEX(OVERFLOW, latency)] = contents->latency,
	};
	counter->overflows++;
	if (event_append(&thread->streams[KIND_OVERFLOW], &head, fields))
		count(COUNTER_overflows, 1);
	else
		count(COUNTER_events_lost_disk, 1);
}

/* Named rates are ceilings: overflows that come closer than asked for double the interval. The odd number added keeps it
   from beating with a loop of the program. */
static uint64_t adapted_interval(const struct overflow_counter *wanted, struct thread_counter *counter)
{
	struct time_triple now;
	time_now(&now);
	uint64_t passed = now.monotonic - counter->last_time, doubled = 2 * counter->interval + 37;
	bool close = wanted->ceiling && counter->last_time && passed < wanted->ceiling;
	counter->last_time = now.monotonic;
	if (!close || doubled > INTERVAL_MOST)
		return counter->interval;
	counter->adapted++;
	return doubled;
}

/* Counters of a PMU count what is left of our handler after they are on again. */
static uint64_t interval_to_get_on(
	const struct overflow_counter *wanted, struct thread_counter *counter, uint64_t pc, uint64_t interval)
{
	bool still =
		wanted->type != PERF_TYPE_SOFTWARE && wanted->type != PERF_TYPE_TRACEPOINT && pc == counter->last_pc;
	counter->last_pc = pc;
	counter->still = still ? counter->still + 1 : 0;
	if (counter->still < STILL_MOST || interval > INTERVAL_MOST / 2)
		return interval;
	counter->still = 0;
	counter->stalled++;
	return 2 * interval;
}

static void choose_interval(struct thread *thread, struct thread_counter *counter, const ucontext_t *context)
{
	const struct overflow_counter *wanted = described(thread, counter);
	uint64_t interval = wanted->ceiling ? adapted_interval(wanted, counter) : counter->interval;
	interval = interval_to_get_on(wanted, counter, registers_of(context)[SAVED_PC], interval);
	if (interval != counter->interval)
		thread_counter_set_interval(counter, interval);
}

static void take(struct thread *thread, struct thread_counter *counter)
{
	struct ring_contents *contents = &thread->counters->contents;
	ring_take(counter->ring, ring_sample_type(described(thread, counter)), contents);
	counter->throttled += contents->throttled;
	counter->lost += contents->lost;
}

static void overflow(struct thread *thread, struct thread_counter *counter, const ucontext_t *context)
{
	take(thread, counter);
	if (collector_recording() && !thread->inside) {
		thread->inside = 1;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		if (!recording_paused())
			record(thread, counter, context);
		choose_interval(thread, counter, context);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		thread->inside = 0;
	} else {
		count(COUNTER_overflows_own, 1);
	}
	if (collector_recording())
		thread_counter_rearm(counter);
}

bool counters_own(const siginfo_t *info)
{
	return (info->si_code == POLL_IN || info->si_code == POLL_HUP) && counter_of(info);
}

void counters_overflow(const siginfo_t *info, const ucontext_t *context)
{
	overflow(current_thread, counter_of(info), context);
}

void counters_skip(const siginfo_t *info)
{
	struct thread_counter *counter = counter_of(info);
	take(current_thread, counter);
	counter->lost++;
	if (collector_recording())
		thread_counter_rearm(counter);
}

bool counters_may_fall_back(void)
{
	return current_thread && current_thread->counters && current_thread->counters->count;
}

void counters_overflow_any(const ucontext_t *context)
{
	struct thread_counters *counters = current_thread ? current_thread->counters : 0;
	for (unsigned i = 0; counters && i < counters->count; i++)
		if (ring_has_records(counters->counter[i].ring))
			overflow(current_thread, &counters->counter[i], context);
}

static bool wanted(void)
{
	return collector.settings.counters[0];
}

static void start(void)
{
	wanted_count = overflow_counters_decode(collector.settings.counters, wanted_counters);
	descriptors_start();
	our_signal_start();
}

static void stop(void)
{
	our_signal_stop();
}

static void thread_start(struct thread *thread)
{
	if (!thread->counters)
		thread->counters = pages_map(sizeof *thread->counters);
	if (!thread->counters)
		count(COUNTER_events_lost_memory, 1);
	else if (!thread_counters_open(thread->counters, wanted_counters, wanted_count, thread->tid))
		count(COUNTER_threads_without_counters, 1);
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
		count(COUNTER_events_lost_disk, 1);
}

/* By the closing thread, too. */
static void end_counting(struct thread *thread)
{
	if (!thread->counters)
		return;
	for (unsigned i = 0; i < thread->counters->count; i++)
		record_totals(thread, &thread->counters->counter[i]);
	thread_counters_silence(thread->counters);
}

static void thread_stop(struct thread *thread)
{
	end_counting(thread);
	if (thread->counters)
		thread_counters_close(thread->counters);
}

const struct kind_operations overflow_operations = {
	.wanted = wanted,
	.start = start,
	.stop = stop,
};

/* Its row comes after those of the kinds that it must not count: its thread_start is late, its thread_stop early. */
const struct kind_operations counting_operations = {
	.wanted = wanted,
	.thread_start = thread_start,
	.thread_stop = thread_stop,
	.thread_abandon = end_counting,
};
