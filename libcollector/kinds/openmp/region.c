/* SPDX-License-Identifier: Apache-2.0 */
/* Which parallel regions there were, and which threads worked in them from when to when. */
#include "capture.h"
#include "collector.h"
#include "context_tree.h"
#include "guard.h"
#include "kind.h"
#include "lifetime.h"
#include "openmp_events.h"
#include "recording.h"
#include "thread.h"
#include "threads.h"
#include "wait.h"
#include <errno.h>

bool region_begin(struct region *region, unsigned requested, const struct region_place *place)
{
	int saved = errno;
	bool recorded = false;
	if (collector_recording() && !current_thread)
		thread_begin(); /* if nobody has seen it yet */
	if (collector.settings.openmp && guard_enter()) {
		recorded = !recording_paused() && openmp_has_file();
		if (recorded) {
			struct call_place call = openmp_call(place);
			*region = (struct region){.number = openmp_region_number(),
				.parent = current_thread->region,
				.era = openmp_era(),
				.caller = call.caller,
				.depth = call.depth,
				.by = current_thread,
				.outer = capture_join(current_thread),
				.outer_depth = current_thread->joined_depth,
				.task = current_thread->task,
				.waited = current_thread->waited};
			openmp_append(&(struct openmp_event){.what = REGION_BEGIN,
					      .stack = call.stack,
					      .requested = requested,
					      .region = region->number,
					      .parent = region->parent},
				time_raw());
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
	if (region->era == openmp_era() && guard_enter()) {
		openmp_append(&(struct openmp_event){.what = REGION_END, .region = region->number}, time_raw());
		guard_leave();
	}
	errno = saved;
}

static void begin_work(const struct region *region, const struct member_place *place)
{
	struct thread *thread = current_thread;
	uint32_t base = place->frame ? openmp_base(place) : 0;
	uint64_t time = time_raw();
	thread->region = region->number;
	thread->task = 0;
	thread->waited = 0;
	wait_set(thread, 0);
	thread->joined_depth = region->depth;
	if (place->frame)
		openmp_join(base, region->caller, CONTEXT_JOIN, time);
	openmp_append(&(struct openmp_event){.what = MEMBER_BEGIN, .region = region->number}, time);
}

bool member_begin(const struct region *region, const struct member_place *place)
{
	int saved = errno;
	bool recorded = false;
	if (collector_recording() && !current_thread)
		thread_begin();
	if (region->era == openmp_era() && guard_enter()) {
		recorded = !recording_paused();
		if (recorded) {
			begin_work(region, place);
		}
		guard_leave();
	}
	errno = saved;
	return recorded;
}

/* Whoever encountered the region is where it was before; the others are in none until another one begins. */
static void end_work(const struct region *region)
{
	struct thread *thread = current_thread;
	bool encountered = region->by == thread;
	uint64_t time = time_raw();
	waits_write(time);
	openmp_append(
		&(struct openmp_event){.what = MEMBER_END, .region = region->number, .waited = thread->waited}, time);
	thread->region = encountered ? region->parent : 0;
	thread->task = encountered ? region->task : 0;
	thread->waited = encountered ? region->waited : 0;
	wait_set(thread, 0);
	if (!thread->region)
		thread->told_waits = 0;
	thread->joined_depth = encountered ? region->outer_depth : 0;
	capture_set_join(thread, encountered ? region->outer : (struct stack_join){0}, time);
	task_count_unplaced(false);
}

void member_end(const struct region *region)
{
	int saved = errno;
	if (region->era == openmp_era() && guard_enter()) {
		end_work(region);
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

const struct kind_operations openmp_operations = {
	.wanted = wanted, .file_is_late = true, .start = start, .thread_stop = waits_end};
