/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the rings of such counters. */
#include "late.h"
#include "capture.h"
#include "claim.h"
#include "collector.h"
#include "gates.h"
#include "memory.h"
#include "overflow.h"
#include "recording.h"
#include "signal_mask.h"
#include "thread_counters.h"
#include "watched_wait.h"

static uint32_t stack_of(struct thread *thread, const struct ring_contents *contents, uint64_t unchanged)
{
	uint64_t sp = contents->registers[SAVED_STACK_POINTER];
	const struct stack_copy copy = {
		sp, sp & 7 ? 0 : contents->stack_size, contents->stack, unchanged, UINT64_MAX, 0, contents->time};
	uint32_t stack = contents->has_registers ? capture_copied(thread, &copy, contents->registers).stack : 0;
	return contents->kernel_depth ? capture_kernel(stack, contents->kernel_frames, contents->kernel_depth) : stack;
}

/* Overflows of an interval that is past do not tell whether the one that is in force is too short. */
static void adapt(struct thread_counter *counter, const struct ring_contents *contents)
{
	if (!counter->wanted->ceiling || contents->time < counter->changed)
		return;
	uint64_t before = counter->interval, interval = overflow_adapted_interval(counter, contents->time);
	if (interval == before)
		return;
	thread_counter_set_interval(counter, interval);
	counter->interval_before = before;
	struct time_triple now;
	time_now(&now);
	counter->changed = now.monotonic;
}

static void record_late(struct thread *thread, struct thread_counter *counter, uint64_t unchanged)
{
	const struct ring_contents *contents = &thread->counters->contents;
	struct time_triple now;
	if (recording_paused_in(thread))
		return;
	time_now(&now);
	struct event_head head = {.time = time_raw_at(contents->time, &now),
		.cpu = contents->cpu,
		.stack = stack_of(thread, contents, contents->at >= counter->begun ? unchanged : 0)};
	uint64_t interval = contents->time < counter->changed ? counter->interval_before : counter->interval;
	overflow_append(thread, counter, &head, interval, LEAF_LATE);
	adapt(counter, contents);
}

static void take(struct thread *thread, struct thread_counter *counter, uint64_t unchanged)
{
	struct ring_contents *contents = &thread->counters->contents;
	ring_contents_clear(contents);
	while (ring_take_one(counter->ring, ring_sample_type(counter->wanted), contents)) {
		overflow_account(counter, contents->lost, contents->throttled);
		if (contents->sampled)
			record_late(thread, counter, unchanged);
		ring_contents_clear(contents);
	}
}

static void take_all(struct thread *thread, uint64_t unchanged)
{
	struct thread_counters *counters = thread->counters;
	for (unsigned i = 0; i < counters->count; i++)
		if (counters->counter[i].late)
			take(thread, &counters->counter[i], unchanged);
}

/* In the thread itself, its signals blocked. */
static void take_own(struct thread *thread, uint64_t unchanged)
{
	if (!claim_try(&thread->counters->busy))
		return;
	int inside = thread->inside;
	thread->inside = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	take_all(thread, unchanged);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	thread->inside = inside;
	claim_leave(&thread->counters->busy);
}

/* Whether the calling thread has such counters and they may be read now. */
static bool may_read(const struct thread *thread)
{
	return collector_recording() && thread && !thread->inside && thread->counters && thread->counters->late_count;
}

static bool has_overflows(const struct thread_counters *counters)
{
	for (unsigned i = 0; i < counters->count; i++)
		if (counters->counter[i].late && ring_has_records(counters->counter[i].ring))
			return true;
	return false;
}

void late_take_in_handler(struct thread *thread)
{
	if (may_read(thread) && has_overflows(thread->counters))
		take_own(thread, thread->counters->unchanged);
}

void late_take_rest(struct thread *thread)
{
	take_all(thread, 0);
}

/* Signals of the target wait: a handler could leave by a jump. */
static void take_outside(struct thread *thread, uint64_t unchanged)
{
	unsigned gates = gates_shut(thread);
	uint64_t before = kernel_mask(SIG_BLOCK, ALL_SIGNALS);
	take_own(thread, unchanged);
	kernel_mask(SIG_SETMASK, before);
	gates_open(thread, gates);
}

void late_take_before_cut(struct thread *thread)
{
	if (thread->counters && has_overflows(thread->counters))
		take_outside(thread, 0);
}

static void wait_has_begun(const void *unchanged)
{
	struct thread *thread = current_thread;
	if (!may_read(thread))
		return;
	if (has_overflows(thread->counters))
		take_outside(thread, 0);
	for (unsigned i = 0; i < thread->counters->count; i++)
		thread->counters->counter[i].begun = ring_head(thread->counters->counter[i].ring);
	thread->counters->unchanged = (uint64_t)(uintptr_t)unchanged;
}

static void wait_has_ended(const void *unchanged)
{
	struct thread *thread = current_thread;
	if (!may_read(thread))
		return;
	thread->counters->unchanged = 0;
	if (has_overflows(thread->counters))
		take_outside(thread, (uint64_t)(uintptr_t)unchanged);
}

void late_start(void)
{
	waits_watch((struct wait_watcher){wait_has_begun, wait_has_ended});
}
