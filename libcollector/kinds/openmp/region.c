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

static void append(enum what what, const struct team *team, unsigned threads, uint32_t stack)
{
	struct thread *thread = current_thread;
	struct event_head head = {.time = time_raw(), .cpu = current_cpu(), .stack = stack};
	uint64_t fields[] = {
		[FIELD_INDEX(OPENMP, what)] = what,
		[FIELD_INDEX(OPENMP, region)] = team->region,
		[FIELD_INDEX(OPENMP, parent)] = what == REGION_BEGIN ? thread->region : 0,
		[FIELD_INDEX(OPENMP, requested)] = threads,
	};
	if (!event_append(&thread->streams[KIND_OPENMP], &head, fields))
		count(TALLY_events_lost_disk, 1);
}

/* The stack of the call, with the region's function as its leaf: that names the region and has its line, which the call may
   not have. */
static uint32_t stack_of(region_body *function, const void *frame)
{
	uint32_t caller = capture_call(current_thread, frame).stack;
	return caller ? context_child(caller, (uint64_t)(uintptr_t)function | CONTEXT_EXACT) : 0;
}

bool region_begin(struct team *team, unsigned threads, const void *frame)
{
	int saved = errno;
	bool recorded = false;
	if (collector_recording() && !current_thread)
		thread_begin(); /* if nobody has seen it yet */
	if (collector.settings.openmp && guard_enter()) {
		recorded = !recording_paused() && has_file();
		if (recorded) {
			team->region = __atomic_add_fetch(&regions, 1, __ATOMIC_RELAXED);
			team->era = era();
			append(REGION_BEGIN, team, threads, stack_of(team->function, frame));
		}
		guard_leave();
	}
	errno = saved;
	return recorded;
}

/* An end is written even while recording is paused: the begin is there. In a fork child nothing is. */
static void end(enum what what, const struct team *team)
{
	int saved = errno;
	if (team->era == era() && guard_enter()) {
		append(what, team, 0, 0);
		guard_leave();
	}
	errno = saved;
}

void region_end(const struct team *team)
{
	end(REGION_END, team);
}

static bool member_begin(const struct team *team)
{
	int saved = errno;
	bool recorded = false;
	if (collector_recording() && !current_thread)
		thread_begin();
	if (team->era == era() && guard_enter()) {
		recorded = !recording_paused();
		if (recorded)
			append(MEMBER_BEGIN, team, 0, 0);
		guard_leave();
	}
	errno = saved;
	return recorded;
}

void region_member(void *argument)
{
	const struct team *team = argument;
	bool recorded = member_begin(team);
	struct thread *thread = current_thread;
	uint64_t outer = recorded ? thread->region : 0;
	if (recorded)
		thread->region = team->region;
	team->function(team->data);
	if (!recorded || team->era != era())
		return;
	thread->region = outer;
	end(MEMBER_END, team);
}

static bool wanted(void)
{
	return collector.settings.openmp;
}

/* In a fork child another thread of the parent's may have held what is of this process now. */
static void start(void)
{
	runtime_start();
}

const struct kind_operations openmp_operations = {.wanted = wanted, .file_is_late = true, .start = start};
