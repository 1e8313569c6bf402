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
#include "wait.h"
#include <errno.h>

/* All threads share the tallies: each adds to them now and then. */
static void add_to_tally(enum tally tally, unsigned *own, bool one)
{
	enum { BATCH = 256 };
	*own += one;
	if (!*own || (one && *own < BATCH))
		return;
	count(tally, *own);
	*own = 0;
}

void task_count_unplaced(bool one)
{
	struct thread *thread = current_thread;
	add_to_tally(TALLY_tasks_unplaced, &thread->tasks_unplaced, one);
	if (!one)
		add_to_tally(TALLY_tasks_left_out, &thread->tasks_left_out, false);
}

/* Bytes of the stack, at most. */
enum { STACK_FOR_TASKS = 1 << 20, STACK_PART = 8 };

bool task_is_wanted(const void *frame)
{
	struct thread *thread = current_thread;
	if (!thread || !thread->region)
		return false;
	uintptr_t size = thread->stack_high - thread->stack_low, used = thread->stack_high - (uintptr_t)frame;
	if (!size || used > size || (used < size / STACK_PART && used < STACK_FOR_TASKS))
		return true;
	if (guard_enter()) {
		if (!recording_paused())
			add_to_tally(TALLY_tasks_left_out, &thread->tasks_left_out, true);
		guard_leave();
	}
	return false;
}

bool task_create(struct task *task, const struct region_place *place, const struct member_place *here)
{
	int saved = errno;
	bool recorded = false;
	if (current_thread && current_thread->region && guard_enter()) {
		recorded = !recording_paused();
		if (recorded) {
			struct call_place call = openmp_task_call(place);
			task_count_unplaced(call.unplaced);
			*task = (struct task){.number = openmp_task_number(),
				.parent = current_thread->task ? current_thread->task->number : 0,
				.region = current_thread->region,
				.era = openmp_era(),
				.stack = call.stack,
				.caller = call.caller,
				.depth = call.depth,
				.made_on = here && !call.unplaced ? openmp_base(here) : 0};
		}
		guard_leave();
	}
	errno = saved;
	return recorded;
}

static void enter(struct task_run *run, struct task *task, const struct member_place *place)
{
	struct thread *thread = current_thread;
	struct stack_join join = capture_join(thread);
	bool stays = join.node && openmp_is_unplaced(place->frame);
	uint32_t base = stays ? 0 : openmp_base(place);
	if (!task->number)
		task->number = openmp_task_number();
	*run = (struct task_run){.task = task,
		.number = task->number,
		.told = run->told,
		.outer = thread->task,
		.begun = time_raw(),
		.era = task->era,
		.region = thread->region,
		.waited = thread->waited,
		.wait = thread->wait,
		.join = join,
		.depth = thread->joined_depth,
		.joined = base && base != task->made_on};
	thread->region = task->region;
	thread->task = run;
	thread->waited = 0;
	wait_set(thread, 0);
	if (run->joined) {
		thread->joined_depth = task->depth;
		openmp_join(base, task->caller, CONTEXT_JOIN_TASK, run->begun);
	}
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
static uint64_t account(struct task_run *run, uint64_t now, uint64_t waited)
{
	uint64_t time = now - run->begun;
	struct task *task = run->task;
	if (run->told)
		task = __atomic_exchange_n(&run->task, 0, __ATOMIC_ACQ_REL);
	if (task) {
		task->ran += time - (run->inner < time ? run->inner : time);
		task->waited += waited;
	}
	return time;
}

void task_take_over(struct task_run *run)
{
	account(run, time_raw(), 0);
}

static void leave(struct task_run *run)
{
	struct thread *thread = current_thread;
	uint64_t now = time_raw(), time = account(run, now, thread->waited);
	if (run->outer)
		run->outer->inner += time;
	if (run->wait)
		run->wait->inner += time;
	if (!run->region)
		waits_write(now);
	thread->task = run->outer;
	thread->region = run->region;
	thread->waited = run->waited;
	wait_set(thread, run->wait);
	thread->task_left = now;
	if (run->joined) {
		thread->joined_depth = run->depth;
		capture_set_join(thread, run->join, now);
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
		uint64_t left = current_thread->task_left;
		current_thread->task_left = 0;
		openmp_append(&(struct openmp_event){.what = TASK,
				      .stack = task->stack,
				      .region = task->region,
				      .parent = task->parent,
				      .task = task->number,
				      .duration = task->ran,
				      .waited = task->waited},
			left ? left : time_raw());
		guard_leave();
	}
	errno = saved;
}
