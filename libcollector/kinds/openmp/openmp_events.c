/* SPDX-License-Identifier: Apache-2.0 */
/* The openmp kind's file, its events and its stacks. */
#include "openmp_events.h"
#include "capture.h"
#include "collector.h"
#include "context_tree.h"
#include "cpu.h"
#include "kind.h"
#include "lifetime.h"
#include "system_calls.h"
#include "thread.h"

/* Neither of these is touched in a process that has no regions: it would cost each a page. */
static uint64_t
	begun;    /* atomic: openmp_era() of the process that has the file, or one less while that is made; 0: none */
static bool made; /* it could be made */
static uint64_t regions, tasks; /* atomic: so many have a number in that process */

static uint64_t nodes; /* of stacks that there were then */
static bool spent;     /* atomic: those of tasks may have no more */

/* A thread takes the numbers of so many tasks at once: the counter is shared by all. A node has some 40 bytes of the file and of
   memory. */
enum { TASK_NUMBERS = 256, NODES_MAX = 1 << 19 };

uint64_t openmp_era(void)
{
	return collector.start.raw << 1;
}

bool openmp_has_file(void)
{
	uint64_t now = openmp_era(), before;
	while ((before = __atomic_load_n(&begun, __ATOMIC_ACQUIRE)) != now) {
		if (before == now - 1) {
			system_call(SYS_sched_yield);
			continue;
		}
		if (!__atomic_compare_exchange_n(&begun, &before, now - 1, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
			continue;
		regions = tasks = 0;
		nodes = __atomic_load_n(&collector.tallies[TALLY_stack_nodes], __ATOMIC_RELAXED);
		spent = false;
		made = collector_create_file(KIND_OPENMP);
		__atomic_store_n(&begun, now, __ATOMIC_RELEASE);
	}
	return made;
}

uint64_t openmp_region_number(void)
{
	return __atomic_add_fetch(&regions, 1, __ATOMIC_RELAXED);
}

uint64_t openmp_task_number(void)
{
	struct thread *thread = current_thread;
	if (thread->task_numbers % TASK_NUMBERS == 0) {
		thread->task_numbers = __atomic_fetch_add(&tasks, TASK_NUMBERS, __ATOMIC_RELAXED);
		if (__atomic_load_n(&collector.tallies[TALLY_stack_nodes], __ATOMIC_RELAXED) - nodes > NODES_MAX)
			__atomic_store_n(&spent, true, __ATOMIC_RELAXED);
	}
	return ++thread->task_numbers;
}

void openmp_append(const struct openmp_event *event, uint64_t time)
{
	struct event_head head = {.time = time, .cpu = current_cpu(), .stack = event->stack};
	uint64_t fields[] = {
		[FIELD_INDEX(OPENMP, what)] = event->what,
		[FIELD_INDEX(OPENMP, region)] = event->region,
		[FIELD_INDEX(OPENMP, parent)] = event->parent,
		[FIELD_INDEX(OPENMP, requested)] = event->requested,
		[FIELD_INDEX(OPENMP, task)] = event->task,
		[FIELD_INDEX(OPENMP, duration)] = event->duration,
		[FIELD_INDEX(OPENMP, waited)] = event->waited,
		[FIELD_INDEX(OPENMP, waits)] = event->waits,
		[FIELD_INDEX(OPENMP, construct)] = event->construct,
	};
	if (!event_append(&current_thread->streams[KIND_OPENMP], &head, fields))
		count(TALLY_events_lost_disk, 1);
}

/* Their code; the unused ones have no size. Set before they call us. */
static struct {
	uintptr_t start, size;
} run_times[4];

void openmp_run_time_code(uintptr_t start, uintptr_t size)
{
	for (size_t i = 0; i < sizeof run_times / sizeof *run_times; i++)
		if (!run_times[i].size || run_times[i].start == start) {
			run_times[i].start = start;
			run_times[i].size = size;
			return;
		}
}

/* The stack without the frames of run-times at its leaf. */
static uint32_t without_run_time(uint32_t stack)
{
	uint32_t parent;
	uintptr_t code;
	size_t i;
	for (; stack; stack = parent) {
		code = context_frame(stack, &parent) & CONTEXT_ADDRESS;
		for (i = 0; i < sizeof run_times / sizeof *run_times; i++)
			if (code - run_times[i].start < run_times[i].size)
				break;
		if (i == sizeof run_times / sizeof *run_times)
			break;
	}
	return stack;
}

/* Frames of a stack that is deep, and after how many tasks it is looked at again: a shallow one may have large frames. */
enum { DEEP = 200, LOOK_AGAIN = 10000 };

static void note_depth(const void *frame, uint32_t depth)
{
	struct thread *thread = current_thread;
	if (depth < DEEP && (uintptr_t)frame <= thread->deep_at)
		thread->deep_at = 0;
	else if (depth >= DEEP && (uintptr_t)frame > thread->deep_at)
		thread->deep_at = (uintptr_t)frame;
}

bool openmp_is_unplaced(const void *frame)
{
	struct thread *thread = current_thread;
	if (__atomic_load_n(&spent, __ATOMIC_RELAXED))
		return true;
	return (uintptr_t)frame <= thread->deep_at && ++thread->deep_tasks % LOOK_AGAIN != 0;
}

static struct call_place place_of(const struct region_place *place, struct captured captured)
{
	uint32_t stack = captured.stack;
	struct call_place call = {
		.stack = stack, .caller = stack, .depth = captured.depth + current_thread->joined_depth};
	if (stack && place->function)
		call.stack = context_child(stack, (uint64_t)(uintptr_t)place->function | CONTEXT_EXACT);
	else if (stack)
		call.stack = call.caller = without_run_time(context_up_to_call(stack, (uintptr_t)place->call) ?: stack);
	if (call.caller && call.depth > (uint32_t)collector.settings.stack_limit) {
		count(TALLY_stacks_truncated, 1);
		call.caller = context_root(ROOT_TRUNCATED, capture_generation());
		call.depth = 0;
	}
	return call;
}

struct call_place openmp_call(const struct region_place *place)
{
	return place_of(place, capture_call(current_thread, place->frame));
}

/* The thread has joined stacks. */
static struct call_place unplaced_call(const struct region_place *place)
{
	struct call_place call = {.depth = current_thread->joined_depth, .unplaced = true};
	uint64_t code = place->function ? (uintptr_t)place->function | CONTEXT_EXACT : (uintptr_t)place->call;
	context_frame(capture_join(current_thread).node, &call.caller);
	call.stack = code ? context_child(call.caller, code) : call.caller;
	return call;
}

struct call_place openmp_task_call(const struct region_place *place)
{
	bool joined = capture_join(current_thread).node != 0;
	if (joined && openmp_is_unplaced(place->frame))
		return unplaced_call(place);
	struct captured captured = capture_plain_call(current_thread, place->frame);
	note_depth(place->frame, captured.depth);
	if (joined && captured.depth >= DEEP)
		return unplaced_call(place);
	captured.stack = capture_joined(current_thread, captured.stack);
	return place_of(place, captured);
}

struct call_place openmp_wait_call(const struct region_place *place)
{
	uint32_t waits = place->body ? capture_body(current_thread, (uintptr_t)place->body) : 0;
	if (waits)
		return (struct call_place){.stack = waits, .caller = waits};
	return capture_join(current_thread).node ? openmp_task_call(place) : openmp_call(place);
}

uint32_t openmp_base(const struct member_place *place)
{
	struct captured captured = capture_own_call(current_thread, place->frame);
	uint32_t base = captured.stack;
	note_depth(place->frame, captured.depth);
	if (place->without_caller && base)
		context_frame(base, &base);
	return base;
}

void openmp_join(uint32_t base, uint32_t caller, uint64_t kind, uint64_t time)
{
	struct stack_join join = {.base = base};
	join.node = base && caller ? context_child(caller, base | kind) : 0;
	capture_set_join(current_thread, join, time);
}
