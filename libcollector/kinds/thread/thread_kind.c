/* SPDX-License-Identifier: Apache-2.0 */
/* The thread kind: an event when a thread's recording begins and one when it ends. */
#include "collector.h"
#include "cpu.h"
#include "cpu_time.h"
#include "kind.h"
#include "thread.h"

static void record_thread(struct thread *thread, enum state_value what, uint64_t time, uint64_t cpu_time)
{
	struct event_head head = {.time = time, .cpu = current_cpu(), .stack = 0};
	uint64_t fields[] = {
		[FIELD_INDEX(THREAD, what)] = what,
		[FIELD_INDEX(THREAD, tid)] = (uint64_t)thread->tid,
		[FIELD_INDEX(THREAD, clock)] = thread->clock.source,
		[FIELD_INDEX(THREAD, resolution)] = thread->clock.resolution,
		[FIELD_INDEX(THREAD, cpu)] = cpu_time,
		[FIELD_INDEX(THREAD, missed)] = thread->clock.missed,
		[FIELD_INDEX(THREAD, stack_low)] = thread->stack_low,
		[FIELD_INDEX(THREAD, stack_high)] = thread->stack_high,
		[FIELD_INDEX(THREAD, unclocked)] = thread->clock.unclocked,
	};
	if (!event_append(&thread->streams[KIND_THREAD], &head, fields))
		count(TALLY_events_lost_disk, 1);
}

static void thread_start(struct thread *thread)
{
	struct time_triple now;
	time_now(&now);
	thread->began = (struct thread_began){now.monotonic, cpu_time_clock().cpu};
	record_thread(thread, STATE_VALUE(THREAD, what, start), now.raw, thread->began.cpu);
}

/* Where states are known, the thread ends with them: it may be taken off its CPU while what recorded them is closed. */
static void record_end(struct thread *thread, uint64_t cpu_time)
{
	const struct thread_switches *switches = &thread->switches;
	record_thread(thread, STATE_VALUE(THREAD, what, end), switches->ended ? switches->ended : time_raw(),
		switches->ended ? switches->ended_cpu : cpu_time);
}

static void thread_stop(struct thread *thread)
{
	record_end(thread, cpu_time_clock().cpu);
}

static void thread_abandon(struct thread *thread)
{
	record_end(thread, cpu_time_of(thread->tid));
}

const struct kind_operations thread_operations = {
	.thread_start = thread_start,
	.thread_stop = thread_stop,
	.thread_abandon = thread_abandon,
};
