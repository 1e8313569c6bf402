/* SPDX-License-Identifier: Apache-2.0 */
/* The openmp kind: which regions there were, and which threads worked in them from when to when. */
#include "capture.h"
#include "collector.h"
#include "context_tree.h"
#include "cpu.h"
#include "guard.h"
#include "kind.h"
#include "lifetime.h"
#include "openmp.h"
#include "recording.h"
#include "system_calls.h"
#include "thread.h"
#include "threads.h"
#include <errno.h>

/* None of this is touched in a process that has no regions: it would cost each a page. */
static uint64_t regions; /* atomic: so many have begun in the process of `begun` */
static uint64_t begun;   /* atomic: era() of the process that has the file, or one less while that is made; 0: none */
static bool made;        /* it could be made */

/* The process: a fork child has another one. Even. */
static uint64_t era(void)
{
	return collector.start.raw << 1;
}

/* At the first region: most processes have none. */
static bool has_file(void)
{
	uint64_t now = era(), before;
	while ((before = __atomic_load_n(&begun, __ATOMIC_ACQUIRE)) != now) {
		if (before == now - 1) {
			system_call(SYS_sched_yield);
			continue;
		}
		if (!__atomic_compare_exchange_n(&begun, &before, now - 1, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
			continue;
		regions = 0;
		made = collector_create_file(KIND_OPENMP);
		__atomic_store_n(&begun, now, __ATOMIC_RELEASE);
	}
	return made;
}

enum what {
	REGION_BEGIN = STATE_VALUE(OPENMP, what, region_begin),
	REGION_END = STATE_VALUE(OPENMP, what, region_end),
	MEMBER_BEGIN = STATE_VALUE(OPENMP, what, member_begin),
	MEMBER_END = STATE_VALUE(OPENMP, what, member_end),
};

static void append(enum what what, const struct region *region, unsigned requested, uint32_t stack)
{
	struct event_head head = {.time = time_raw(), .cpu = current_cpu(), .stack = stack};
	uint64_t fields[] = {
		[FIELD_INDEX(OPENMP, what)] = what,
		[FIELD_INDEX(OPENMP, region)] = region->number,
		[FIELD_INDEX(OPENMP, parent)] = what == REGION_BEGIN ? region->parent : 0,
		[FIELD_INDEX(OPENMP, requested)] = requested,
	};
	if (!event_append(&current_thread->streams[KIND_OPENMP], &head, fields))
		count(TALLY_events_lost_disk, 1);
}

/* The stack without what is inside of the call; as it is, if the call is not among its last frames. */
static uint32_t up_to_call(uint32_t stack, uint64_t call)
{
	enum { RUN_TIME_FRAMES = 16 };
	uint32_t outer = stack;
	for (int i = 0; outer && i < RUN_TIME_FRAMES; i++) {
		uint32_t parent;
		if ((context_frame(outer, &parent) & CONTEXT_ADDRESS) == call)
			return outer;
		outer = parent;
	}
	return stack;
}

/* Returns the region's stack. */
static uint32_t find_caller(struct region *region, const struct region_place *place)
{
	uint32_t stack = capture_call(current_thread, place->frame).stack;
	region->caller = stack;
	if (stack && place->function)
		return context_child(stack, (uint64_t)(uintptr_t)place->function | CONTEXT_EXACT);
	return region->caller = up_to_call(stack, (uint64_t)(uintptr_t)place->call);
}

bool region_begin(struct region *region, unsigned requested, const struct region_place *place)
{
	int saved = errno;
	bool recorded = false;
	if (collector_recording() && !current_thread)
		thread_begin(); /* if nobody has seen it yet */
	if (collector.settings.openmp && guard_enter()) {
		recorded = !recording_paused() && has_file();
		if (recorded) {
			uint64_t number = __atomic_add_fetch(&regions, 1, __ATOMIC_RELAXED);
			*region = (struct region){.number = number,
				.parent = current_thread->region,
				.era = era(),
				.by = current_thread,
				.outer = capture_join(current_thread)};
			append(REGION_BEGIN, region, requested, find_caller(region, place));
		}
		guard_leave();
	}
	errno = saved;
	return recorded;
}

/* Ends are written even while recording is paused: the begin is there. In a fork child nothing is. */
void region_end(const struct region *region)
{
	int saved = errno;
	if (region->era == era() && guard_enter()) {
		append(REGION_END, region, 0, 0);
		guard_leave();
	}
	errno = saved;
}

static void join_stacks(const struct region *region, const struct member_place *place)
{
	struct stack_join join;
	join.base = capture_own_call(current_thread, place->frame).stack;
	if (place->without_caller && join.base)
		context_frame(join.base, &join.base);
	join.node = join.base && region->caller ? context_child(region->caller, join.base | CONTEXT_JOIN) : 0;
	capture_set_join(current_thread, join);
}

bool member_begin(const struct region *region, const struct member_place *place)
{
	int saved = errno;
	bool recorded = false;
	if (collector_recording() && !current_thread)
		thread_begin();
	if (region->era == era() && guard_enter()) {
		recorded = !recording_paused();
		if (recorded) {
			current_thread->region = region->number;
			if (place->frame)
				join_stacks(region, place);
			append(MEMBER_BEGIN, region, 0, 0);
		}
		guard_leave();
	}
	errno = saved;
	return recorded;
}

/* Whoever encountered the region is where it was before; the others are in none until another one begins. */
static void leave(const struct region *region)
{
	bool encountered = region->by == current_thread;
	current_thread->region = encountered ? region->parent : 0;
	capture_set_join(current_thread, encountered ? region->outer : (struct stack_join){0});
}

void member_end(const struct region *region)
{
	int saved = errno;
	if (region->era == era() && guard_enter()) {
		append(MEMBER_END, region, 0, 0);
		leave(region);
		guard_leave();
	}
	errno = saved;
}

static bool wanted(void)
{
	return collector.settings.openmp;
}

/* In a fork child another thread of the parent's may have held what is of this process now. */
static void start(void)
{
	libgomp_start();
}

const struct kind_operations openmp_operations = {.wanted = wanted, .file_is_late = true, .start = start};
