/* SPDX-License-Identifier: Apache-2.0 */
/* Run-times with OpenMP's interface for tools (libomp, of clang and of what is made of it) look for a tool by its name among all
   that is loaded, and find us. They call us at the begin and end of each region, and of each member's work. */
#include "code_object.h"
#include "collector.h"
#include "free_list.h"
#include "interpose.h"
#include "ompt_interface.h"
#include "ompt_tasks.h"
#include "ompt_waits.h"
#include "openmp.h"
#include "openmp_events.h"
#include "pages.h"
#include <stdlib.h>

/* A region, in the run-time's data about it and about those of its members that work. */
struct told_region {
	void *next; /* in the list of unused ones */
	struct region region;
};
static struct free_list unused;
static ompt_get_state *get_state; /* 0: the run-time has none */

/* A region without a call is one that libomp begins for itself, for each team of a league. */
static void parallel_begin(union ompt_data *task, const struct ompt_frame *encountering, union ompt_data *parallel,
	unsigned requested, int flags, const void *call)
{
	struct region_place place = {.frame = __builtin_frame_address(0), .call = call};
	(void)task, (void)encountering;
	parallel->pointer = 0;
	if (flags & OMPT_PARALLEL_LEAGUE || (current_thread && current_thread->region_told) || !call)
		return;
	struct told_region *told = free_list_take_or_map(&unused, sizeof *told);
	if (told && region_begin(&told->region, requested, &place))
		parallel->pointer = told;
	else if (told)
		free_list_give(&unused, told);
}

static void parallel_end(union ompt_data *parallel, union ompt_data *task, int flags, const void *call)
{
	struct told_region *told = parallel->pointer;
	(void)task, (void)flags, (void)call;
	if (!told)
		return;
	region_end(&told->region);
	parallel->pointer = 0;
	free_list_give(&unused, told);
}

static void end_member(union ompt_data *task)
{
	const struct told_region *told = task->pointer;
	task->pointer = 0;
	member_end(&told->region);
}

static void implicit_task(enum ompt_endpoint endpoint, union ompt_data *parallel, union ompt_data *task, unsigned team,
	unsigned index, int flags)
{
	(void)team, (void)index;
	if (!(flags & OMPT_TASK_IMPLICIT))
		return;
	if (endpoint == OMPT_BEGIN) {
		const struct told_region *told = parallel ? parallel->pointer : 0;
		struct member_place place = {.frame = __builtin_frame_address(0), .without_caller = true};
		task->pointer = told && member_begin(&told->region, &place) ? parallel->pointer : 0;
	} else if (task->pointer) {
		end_member(task); /* a team of one has no barrier */
	}
}

/* Run-times of OpenMP 5.0 tell of the barrier at a loop's end alike, but the thread works then until it waits. */
static bool is_of_region(enum ompt_sync kind)
{
	int state = kind == OMPT_SYNC_IMPLICIT && get_state ? get_state(0) : OMPT_STATE_WORK_PARALLEL;
	return kind == OMPT_SYNC_IMPLICIT_PARALLEL ||
	       (state != OMPT_STATE_WORK_PARALLEL && state != OMPT_STATE_WORK_REDUCTION);
}

/* A member has ended its work when it comes to the barrier at the end of the region; its task ends much later. */
static void sync_region(enum ompt_sync kind, enum ompt_endpoint endpoint, union ompt_data *parallel,
	union ompt_data *task, const void *call)
{
	(void)parallel, (void)call;
	if (endpoint == OMPT_BEGIN && task && task->pointer && is_of_region(kind))
		end_member(task);
}

static void learn_code(uintptr_t code)
{
	struct code_object *object = pages_map(sizeof *object);
	if (!object)
		return;
	if (code_object_find(object, code))
		openmp_run_time_code(object->start, object->size);
	pages_unmap(object, sizeof *object);
}

static int initialize(ompt_lookup *lookup, int device, union ompt_data *tool_data)
{
	ompt_set_callback *set = (ompt_set_callback *)lookup("ompt_set_callback");
	(void)device, (void)tool_data;
	if (!set)
		return 0;
	get_state = (ompt_get_state *)lookup("ompt_get_state");
	learn_code((uintptr_t)__builtin_return_address(0));
	set(OMPT_PARALLEL_BEGIN, (ompt_callback *)parallel_begin);
	set(OMPT_PARALLEL_END, (ompt_callback *)parallel_end);
	set(OMPT_TASK_CREATE, (ompt_callback *)ompt_task_create);
	set(OMPT_TASK_SCHEDULE, (ompt_callback *)ompt_task_schedule);
	set(OMPT_IMPLICIT_TASK, (ompt_callback *)implicit_task);
	set(OMPT_SYNC_REGION, (ompt_callback *)sync_region);
	set(OMPT_SYNC_REGION_WAIT, (ompt_callback *)ompt_sync_region_wait);
	set(OMPT_MUTEX_ACQUIRE, (ompt_callback *)ompt_mutex_acquire);
	set(OMPT_MUTEX_ACQUIRED, (ompt_callback *)ompt_mutex_acquired);
	set(OMPT_NEST_LOCK, (ompt_callback *)ompt_nest_lock);
	return 1;
}

static void finalize(union ompt_data *tool_data)
{
	(void)tool_data;
}

static struct ompt_tool *give_way(struct ompt_tool *other)
{
	collector_log("cwarn", "regions of OpenMP are not recorded: the program has another tool for them");
	return other;
}

typedef struct ompt_tool *start_tool(unsigned version, const char *name);
start_tool ompt_start_tool;

/* A run-time takes the first tool that it finds. Another one's place is kept: if it comes after us, or is named by the environment,
   which the run-time looks at only if nobody is there. */
INTERPOSE struct ompt_tool *ompt_start_tool(unsigned version, const char *name)
{
	static struct ompt_tool tool = {initialize, finalize, {0}};
	static void *next;
	const char *libraries = getenv("OMP_TOOL_LIBRARIES");
	bool recording = collector_recording() && collector.settings.openmp;
	start_tool *start = (start_tool *)real_function("ompt_start_tool", &next);
	struct ompt_tool *other = start ? start(version, name) : 0;
	if (!recording)
		return other;
	if (other || (libraries && *libraries))
		return give_way(other);
	return &tool;
}
