/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of run-times with OpenMP's interface for tools: they say which task goes on in a thread in place of which. */
#include "ompt_tasks.h"
#include "free_list.h"
#include "task.h"
#include "thread.h"

/* A task, in the run-time's data about it, marked: those of implicit ones are ompt.c's. */
struct told_task {
	void *next; /* in the list of unused ones */
	struct task task;
	struct told_run *run; /* atomic: the latest; 0: none */
};
/* A run of one in a thread. */
struct told_run {
	void *next;
	struct task_run run;
	struct told_task *told;
	const struct thread *thread;
};
static struct free_list unused_tasks, unused_runs;

enum { MARK = 1, UNTOLD = 2 }; /* UNTOLD: an explicit one that is not recorded */

static struct told_task *told_by(const union ompt_data *data)
{
	return data && data->value & MARK ? (struct told_task *)(uintptr_t)(data->value - MARK) : 0;
}

void ompt_task_create(union ompt_data *encountering, const struct ompt_frame *frame, union ompt_data *created,
	int flags, int dependent, const void *call)
{
	struct region_place place = {.frame = __builtin_frame_address(0), .call = call};
	struct member_place here = {.frame = place.frame, .without_caller = true};
	(void)encountering, (void)frame, (void)dependent;
	if (!(flags & OMPT_TASK_EXPLICIT))
		return;
	created->value = UNTOLD;
	if (!current_thread || !current_thread->region || current_thread->region_told)
		return;
	struct told_task *told = free_list_take_or_map(&unused_tasks, sizeof *told);
	if (told && task_create(&told->task, &place, flags & OMPT_TASK_UNDEFERRED ? &here : 0)) {
		told->run = 0;
		created->value = (uintptr_t)told | MARK;
	} else if (told) {
		free_list_give(&unused_tasks, told);
	}
}

/* The task that the thread is known to run, if it is told. */
static struct told_run *running(void)
{
	return current_thread && current_thread->task ? current_thread->task->told : 0;
}

/* False: recording has ended, and nothing changes any more. */
static bool leave(struct told_run *run)
{
	struct told_run *latest = run;
	bool mine = __atomic_load_n(&run->run.task, __ATOMIC_RELAXED);
	task_leave(&run->run);
	if (running() == run)
		return false;
	if (mine)
		__atomic_compare_exchange_n(&run->told->run, &latest, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	free_list_give(&unused_runs, run);
	return true;
}

/* If it runs elsewhere, too, it is untied and that part has ended. */
static void enter(struct told_task *told, const void *frame)
{
	struct member_place place = {.frame = frame, .without_caller = true};
	struct told_run *run = free_list_take_or_map(&unused_runs, sizeof *run);
	if (!run)
		return;
	run->told = told;
	run->thread = current_thread;
	run->run.told = run;
	struct told_run *before = __atomic_exchange_n(&told->run, run, __ATOMIC_ACQ_REL);
	if (before)
		task_take_over(&before->run);
	if (task_enter(&run->run, &told->task, &place))
		return;
	told->run = 0;
	free_list_give(&unused_runs, run);
}

static void end(struct told_task *told, union ompt_data *data)
{
	task_end(&told->task);
	data->value = UNTOLD;
	free_list_give(&unused_tasks, told);
}

/* Whether the thread is known to run it, or another one inside of it. */
static bool runs(const struct told_task *told)
{
	const struct told_run *run = __atomic_load_n(&told->run, __ATOMIC_ACQUIRE);
	return run && run->thread == current_thread;
}

/* Ends the runs inside of that task's, of all if it is 0. False as leave(). */
static bool unwind(const struct told_task *told)
{
	struct told_run *run;
	while ((run = running()) && run->told != told)
		if (!leave(run))
			return false;
	return true;
}

static bool is_implicit(const union ompt_data *data)
{
	return data && data->value != UNTOLD && !told_by(data);
}

/* Part of an untied task ends by a change to the one that was there before, as a task does; the next part may follow in the
   middle of that, by a change from the task to itself. After an end the next one is there already. */
void ompt_task_schedule(union ompt_data *prior, enum ompt_task_status status, union ompt_data *next)
{
	struct told_task *told = told_by(prior), *following = told_by(next);
	bool ends = status == OMPT_TASK_COMPLETE || status == OMPT_TASK_CANCEL || status == OMPT_TASK_DETACH;
	bool good = true;
	if (!ends && status != OMPT_TASK_YIELD && status != OMPT_TASK_SWITCH)
		return;
	if (following && runs(following)) {
		if (unwind(following) && ends && told)
			end(told, prior);
		return;
	}
	if (is_implicit(next))
		good = unwind(0);
	else if (told && runs(told))
		good = unwind(told) && (!ends || leave(running()));
	else if (is_implicit(prior))
		good = unwind(0);
	if (good && ends && told)
		end(told, prior);
	if (good && following && !ends)
		enter(following, __builtin_frame_address(0));
}
