/* SPDX-License-Identifier: Apache-2.0 */
/* Which tasks ran, for how long, and where they were created. */
#include "task.h"
#include "capture.h"
#include "collector.h"
#include "context_tree.h"
#include "guard.h"
#include "openmp_events.h"
#include "recording.h"
#include "thread.h"
#include <errno.h>

bool task_create(struct task *task, const struct region_place *place, const struct member_place *here)
{
	int saved = errno;
	bool recorded = false;
	if (current_thread && current_thread->region && guard_enter()) {
		recorded = !recording_paused();
		if (recorded) {
			struct call_place call = openmp_call(place);
			*task = (struct task){.number = openmp_task_number(),
				.parent = current_thread->task ? current_thread->task->number : 0,
				.region = current_thread->region,
				.era = openmp_era(),
				.stack = call.stack,
				.caller = call.caller,
				.depth = call.depth,
				.made_on = here ? openmp_base(here) : 0};
		}
		guard_leave();
	}
	errno = saved;
	return recorded;
}

static void enter(struct task_run *run, struct task *task, const struct member_place *place)
{
	struct thread *thread = current_thread;
	if (!task->number)
		task->number = openmp_task_number();
	uint32_t base = openmp_base(place);
	*run = (struct task_run){.task = task,
		.number = task->number,
		.told = run->told,
		.outer = thread->task,
		.era = task->era,
		.region = thread->region,
		.join = capture_join(thread),
		.depth = thread->joined_depth,
		.joined = !base || base != task->made_on};
	thread->region = task->region;
	thread->task = run;
	if (run->joined) {
		thread->joined_depth = task->depth;
		openmp_join(base, task->caller, CONTEXT_JOIN_TASK);
	}
	run->begun = time_raw();
}

bool task_enter(struct task_run *run, struct task *task, const struct member_place *place)
{
	int saved = errno;
	bool recorded = false;
	if (task->era == openmp_era() && guard_enter()) {
		recorded = !recording_paused();
		if (recorded)
			enter(run, task, place);
		guard_leave();
	}
	errno = saved;
	return recorded;
}

/* The time so far is the task's, of which whoever calls this first accounts. Returns all of it. */
static uint64_t account(struct task_run *run)
{
	uint64_t time = time_raw() - run->begun;
	struct task *task = run->task;
	if (run->told)
		task = __atomic_exchange_n(&run->task, 0, __ATOMIC_ACQ_REL);
	if (task)
		task->ran += time - (run->inner < time ? run->inner : time);
	return time;
}

void task_take_over(struct task_run *run)
{
	account(run);
}

static void leave(struct task_run *run)
{
	struct thread *thread = current_thread;
	uint64_t time = account(run);
	if (run->outer)
		run->outer->inner += time;
	thread->task = run->outer;
	thread->region = run->region;
	if (run->joined) {
		thread->joined_depth = run->depth;
		capture_set_join(thread, run->join);
	}
}

void task_leave(struct task_run *run)
{
	int saved = errno;
	if (run->era == openmp_era() && guard_enter()) {
		leave(run);
		guard_leave();
	}
	errno = saved;
}

void task_end(const struct task *task)
{
	int saved = errno;
	if (task->era == openmp_era() && guard_enter()) {
		openmp_append(&(struct openmp_event){.what = TASK,
			.stack = task->stack,
			.region = task->region,
			.parent = task->parent,
			.task = task->number,
			.duration = task->ran});
		guard_leave();
	}
	errno = saved;
}
