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

static uint32_t stack_of(const struct region_place *place)
{
	uint32_t stack = capture_call(current_thread, place->frame).stack;
	if (stack && place->function)
		return context_child(stack, (uint64_t)(uintptr_t)place->function | CONTEXT_EXACT);
	return up_to_call(stack, (uint64_t)(uintptr_t)place->call);
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
			*region = (struct region){number, current_thread->region, era()};
			append(REGION_BEGIN, region, requested, stack_of(place));
		}
		guard_leave();
	}
	errno = saved;
	return recorded;
}

/* An end is written even while recording is paused: the begin is there. In a fork child nothing is. */
static void end(enum what what, const struct region *region)
{
	int saved = errno;
	if (region->era == era() && guard_enter()) {
		append(what, region, 0, 0);
		guard_leave();
	}
	errno = saved;
}

void region_end(const struct region *region)
{
	end(REGION_END, region);
}

bool member_begin(const struct region *region)
{
	int saved = errno;
	bool recorded = false;
	if (collector_recording() && !current_thread)
		thread_begin();
	if (region->era == era() && guard_enter()) {
		recorded = !recording_paused();
		if (recorded)
			append(MEMBER_BEGIN, region, 0, 0);
		guard_leave();
	}
	errno = saved;
	return recorded;
}

void member_end(const struct region *region)
{
	end(MEMBER_END, region);
}

void region_enter(const struct region *region, uint64_t number)
{
	if (region->era == era() && current_thread)
		current_thread->region = number;
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
