/* SPDX-License-Identifier: Apache-2.0 */
/* Recording heap events: in the thread as it runs, in a handler of the target that interrupted that, and in a thread whose
   state is gone already. */
#include "architecture.h"
#include "capture.h"
#include "cpu.h"
#include "growth.h"
#include "guard.h"
#include "heap.h"
#include "held.h"
#include "recording.h"
#include "threads.h"

struct heap_event {
	enum state_value what;
	uint64_t address, size;
	int error;
	const void *frame_address; /* 0: no stack */
};

extern char __libc_single_threaded __attribute__((weak)); /* glibc 2.32 */

static bool is_release(enum state_value what)
{
	return what == HEAP(free) || what == HEAP(unmap) || what == HEAP(kept) || what == HEAP(shrink);
}

static inline bool one_thread(void)
{
	return &__libc_single_threaded && __libc_single_threaded;
}

/* The moment of an allocation must not be read before the real function is done: another thread's release of the same
   address, read before its real function, is then always earlier. */
static inline uint64_t moment(enum state_value what)
{
	if (!is_release(what) && !one_thread())
		wait_for_loads();
	return time_raw();
}

static inline void append(
	struct event_stream *stream, const struct heap_event *event, uint32_t stack, struct counted_time *time)
{
	uint32_t cpu = current_cpu();
	struct event_head head = {
		.time = time ? counted_time_now(time, cpu) : moment(event->what), .cpu = cpu, .stack = stack};
	uint64_t fields[] = {
		[FIELD_INDEX(HEAP, address)] = event->address,
		[FIELD_INDEX(HEAP, what)] = event->what,
		[FIELD_INDEX(HEAP, size)] = event->size,
		[FIELD_INDEX(HEAP, error)] = (uint64_t)event->error,
	};
	if (!event_append(stream, &head, fields))
		count(TALLY_events_lost_disk, 1);
}

static bool allocates(const struct heap_event *event)
{
	return event->what >= HEAP(malloc) && event->what <= HEAP(brk) && !event->error;
}

/* Under a size limit: a release goes on to be recorded if it is of something that was allocated before. */
static __attribute__((noinline)) bool left_out_by_limit(const struct heap_event *event, bool paused)
{
	bool nowhere = false, *left_out = current_thread ? &current_thread->heap.release_left_out : &nowhere;
	if (event->what == HEAP(kept)) { /* what is still there was released by the event before */
		if (!*left_out)
			held_add(event->size ? HEAP(mmap) : HEAP(malloc), event->address, event->size);
		return *left_out;
	}
	if (is_release(event->what)) {
		bool held = event->what != HEAP(shrink) && held_take(event->what, event->address, event->size);
		return *left_out = !held && recording_full();
	}
	if (!paused && allocates(event))
		held_add(event->what, event->address, event->size);
	return paused;
}

/* Releases count in a pause, too, so that a block which was allocated before is not taken for a leak. */
static bool left_out(const struct heap_event *event, bool *stack)
{
	bool paused = recording_paused();
	/* `-H light` is for little overhead: the stack of a release is seldom looked at, and costs as much as an allocation's. */
	*stack = event->frame_address &&
		 (event->what != HEAP(free) || collector.settings.heap == SETTING_VALUE(heap, on));
	if (__builtin_expect(held_on, 0) && left_out_by_limit(event, paused))
		return true;
	if (__builtin_expect(!paused, 1))
		return false;
	*stack = false;
	return !is_release(event->what);
}

/* A thread after thread_end: its events get a place of their own for the moment. */
static __attribute__((noinline)) void record_late(const struct heap_event *event, const struct thread_past *past)
{
	struct thread late = {.number = past->number,
		.stack_low = past->stack.low,
		.stack_high = past->stack.high,
		.inside = INSIDE_RECORDING};
	bool with_stack;
	if (left_out(event, &with_stack))
		return;
	event_stream_init(&late.heap.other, &collector.files[KIND_HEAP], past->number);
	uint32_t stack = 0;
	if (with_stack && capture_thread_begin(&late)) {
		stack = capture_nested_call(&late, event->frame_address).stack;
		capture_thread_end(&late);
	}
	append(&late.heap.other, event, stack, 0);
	event_stream_release(&late.heap.other);
}

static __attribute__((noinline)) void record_nested(struct thread *thread, const struct heap_event *event)
{
	bool with_stack;
	thread->heap.nested = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (!left_out(event, &with_stack)) {
		uint32_t stack = with_stack ? capture_nested_call(thread, event->frame_address).stack : 0;
		append(&thread->heap.other, event, stack, 0);
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	thread->heap.nested = false;
}

static void record_heap(const struct heap_event *event);

/* No state yet or any more, or our own code is interrupted. What that allocates itself is not recorded. */
static __attribute__((noinline)) void record_rarely(const struct heap_event *event)
{
	struct thread *thread = current_thread;
	if (!collector_recording())
		return;
	struct thread_past past = thread_past();
	if (!thread && past.number)
		record_late(event, &past);
	else if (!thread && thread_begin())
		record_heap(event);
	else if (thread && thread->inside == INSIDE_RECORDING && !thread->heap.nested)
		record_nested(thread, event);
	else if (!thread || thread->inside == INSIDE_RECORDING)
		count(TALLY_events_lost_nested, 1);
}

static inline __attribute__((always_inline)) void record_here(const struct heap_event *event)
{
	bool with_stack;
	if (__builtin_expect(!guard_enter(), 0)) {
		record_rarely(event);
		return;
	}
	struct thread *thread = current_thread;
	if (!left_out(event, &with_stack)) {
		uint32_t stack = with_stack ? capture_call(thread, event->frame_address).stack : 0;
		append(&thread->streams[KIND_HEAP], event, stack,
			collector.settings.time_between && one_thread() ? &thread->heap.time : 0);
	}
	guard_leave();
}

static void record_heap(const struct heap_event *event)
{
	record_here(event);
}

void heap_allocated(enum state_value what, const void *frame_address, const void *block, size_t size)
{
	record_here(&(struct heap_event){what, (uint64_t)block, size, 0, frame_address});
	if (current_thread) {
		current_thread->heap.last_allocated = (uint64_t)block;
		current_thread->sums[SUM_ALLOCATED] += size;
	}
	struct growth growth;
	if (growth_seen(&growth))
		record_heap(&(struct heap_event){
			growth.what, growth.address, growth.size, 0, growth.what == HEAP(growth) ? frame_address : 0});
}

void heap_failed(enum state_value what, const void *frame_address, size_t size, int error)
{
	record_heap(&(struct heap_event){what, 0, size, error, frame_address});
}

void heap_released(const void *frame_address, const void *block)
{
	if (__builtin_expect(current_thread && current_thread->heap.releasing == (uint64_t)block, 0))
		return;
	record_here(&(struct heap_event){HEAP(free), (uint64_t)block, 0, 0, frame_address});
}

void heap_range(enum state_value what, const void *frame_address, uint64_t address, size_t size)
{
	struct heap_event event = {what, address, size, 0, frame_address};
	if (current_thread && allocates(&event))
		current_thread->sums[SUM_ALLOCATED] += size;
	record_heap(&event);
}

void heap_begin(const void *releasing)
{
	if (!current_thread)
		return;
	current_thread->heap.last_allocated = 0;
	current_thread->heap.releasing = (uint64_t)releasing;
}

bool heap_is_recorded(const void *block)
{
	return current_thread && current_thread->heap.last_allocated == (uint64_t)block;
}

void heap_end(void)
{
	if (current_thread)
		current_thread->heap.releasing = 0;
}
