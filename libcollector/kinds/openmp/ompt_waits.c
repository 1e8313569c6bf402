/* SPDX-License-Identifier: Apache-2.0 */
/* Waits of run-times with OpenMP's interface for tools, which tell of the begin and of the end of each. */
#include "ompt_waits.h"
#include "thread.h"
#include "wait.h"

/* Begins whose end nobody told are forgotten with the ones around them. */
static void begin(enum omp_construct construct, uint64_t key, const void *call)
{
	struct thread *thread = current_thread;
	if (!thread || !thread->region)
		return;
	struct omp_wait *wait = wait_told(thread->told_waits);
	if (!wait)
		return;
	if (thread->told_waits && thread->wait == wait - 1) { /* it has ended: there is none inside of another */
		blocking_call_waited(&wait[-1].blocking);
		wait_set(thread, 0);
		thread->told_waits--;
		wait--;
	}
	if (!wait_begin(wait, construct, &(struct region_place){.call = call}))
		return;
	wait->key = key;
	thread->told_waits++;
}

static void end(enum omp_construct construct, uint64_t key, const struct region_place *place)
{
	struct thread *thread = current_thread;
	struct omp_wait *wait = thread ? thread->wait : 0, *first = wait ? wait_told(0) : 0;
	if (!first || wait < first || wait >= first + thread->told_waits)
		return; /* none, or one that libgomp_waits.c is in */
	if (wait->construct != construct || wait->key != key)
		return;
	thread->told_waits = (unsigned)(wait - first);
	wait_end(wait, place);
}

static enum omp_construct construct_of(enum ompt_sync kind)
{
	switch (kind) {
	case OMPT_SYNC_BARRIER:
	case OMPT_SYNC_EXPLICIT:
		return WAIT_EXPLICIT_BARRIER;
	case OMPT_SYNC_TASKWAIT:
		return WAIT_TASKWAIT;
	case OMPT_SYNC_TASKGROUP:
		return WAIT_TASKGROUP;
	case OMPT_SYNC_IMPLEMENTATION:
		return WAIT_INTERNAL_BARRIER;
	case OMPT_SYNC_REDUCTION:
		return WAIT_REDUCTION;
	default:
		return WAIT_IMPLICIT_BARRIER;
	}
}

/* An implicit task whose member has ended its work, or is not known, has no data: the wait is that at the region's end. */
void ompt_sync_region_wait(enum ompt_sync kind, enum ompt_endpoint endpoint, union ompt_data *parallel,
	union ompt_data *task, const void *call)
{
	struct region_place place = {.frame = __builtin_frame_address(0), .call = call};
	(void)parallel;
	if (!task || !task->value)
		return;
	if (endpoint == OMPT_BEGIN)
		begin(construct_of(kind), (uintptr_t)task, call);
	else
		end(construct_of(kind), (uintptr_t)task, &place);
}

/* 0: it does not wait, as of a lock that it tries to take. */
static enum omp_construct construct_of_mutex(enum ompt_mutex kind)
{
	switch (kind) {
	case OMPT_MUTEX_LOCK:
	case OMPT_MUTEX_NEST_LOCK:
		return WAIT_LOCK;
	case OMPT_MUTEX_CRITICAL:
		return WAIT_CRITICAL;
	case OMPT_MUTEX_ATOMIC:
		return WAIT_ATOMIC;
	case OMPT_MUTEX_ORDERED:
		return WAIT_ORDERED;
	default:
		return 0;
	}
}

void ompt_mutex_acquire(enum ompt_mutex kind, unsigned hint, unsigned implementation, uint64_t wait, const void *call)
{
	enum omp_construct construct = construct_of_mutex(kind);
	(void)hint, (void)implementation;
	if (construct)
		begin(construct, wait, call);
}

void ompt_mutex_acquired(enum ompt_mutex kind, uint64_t wait, const void *call)
{
	struct region_place place = {.frame = __builtin_frame_address(0), .call = call};
	enum omp_construct construct = construct_of_mutex(kind);
	if (construct)
		end(construct, wait, &place);
}

/* The thread has the lock already. */
void ompt_nest_lock(enum ompt_endpoint endpoint, uint64_t wait, const void *call)
{
	struct region_place place = {.frame = __builtin_frame_address(0), .call = call};
	if (endpoint == OMPT_BEGIN)
		end(WAIT_LOCK, wait, &place);
}
