/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library grants a lock in MPI_Win_lock, or takes requests in the order of these calls and grants them later. In both cases the
   order in which the calls return is that of the locks. */
#include "mpi_locks.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

static bool same_window(const struct mpi_lock *a, const struct mpi_lock *b)
{
	return a->communicator == b->communicator && a->window == b->window;
}

void mpi_lock_add(struct mpi_lock_reader *reader, const struct mpi_lock *lock)
{
	struct mpi_trace *trace = reader->trace;
	uint32_t experiment = trace->calls[lock->start].experiment;
	uint32_t *newest = number_map_place(&reader->open, number_pair(experiment, lock->target));
	trace->locks = memory_room(trace->locks, trace->lock_count, sizeof *trace->locks);
	reader->older = memory_room(reader->older, trace->lock_count, sizeof *reader->older);
	trace->locks[trace->lock_count] = *lock;
	reader->older[trace->lock_count] = *newest == NO_NUMBER ? NO_LOCK : *newest;
	*newest = trace->lock_count++;
}

static uint32_t find_open(
	const struct mpi_lock_reader *reader, uint32_t experiment, const struct mpi_lock *at, uint32_t target)
{
	uint32_t lock = number_map_find(&reader->open, number_pair(experiment, target));
	while (lock != NO_LOCK && !same_window(&reader->trace->locks[lock], at))
		lock = reader->older[lock];
	return lock;
}

uint32_t mpi_lock_find(
	const struct mpi_lock_reader *reader, uint32_t experiment, const struct mpi_lock *at, uint32_t *open_target)
{
	uint32_t lock = find_open(reader, experiment, at, *open_target = at->target);
	return lock != NO_LOCK ? lock : find_open(reader, experiment, at, *open_target = ALL_TARGETS);
}

void mpi_lock_end(
	struct mpi_lock_reader *reader, uint32_t lock, uint32_t experiment, uint32_t open_target, uint32_t call)
{
	uint64_t key = number_pair(experiment, open_target);
	uint32_t newest = number_map_find(&reader->open, key), older = reader->older[lock];
	reader->trace->locks[lock].completion = call;
	if (newest == lock) {
		number_map_take(&reader->open, key);
		if (older != NO_LOCK)
			*number_map_place(&reader->open, key) = older;
		return;
	}
	while (reader->older[newest] != lock)
		newest = reader->older[newest];
	reader->older[newest] = older;
}

void mpi_lock_reader_free(struct mpi_lock_reader *reader)
{
	number_map_free(&reader->open);
	free(reader->older);
}

static int by_order(const void *left, const void *right, void *context)
{
	const uint32_t *first = left, *second = right;
	const struct mpi_trace *trace = context;
	const struct mpi_lock *a = &trace->locks[*first], *b = &trace->locks[*second];
	int order = COMPARE(a->communicator, b->communicator) ?: COMPARE(a->window, b->window);
	return order ?: COMPARE(trace->calls[a->start].end, trace->calls[b->start].end) ?: COMPARE(*first, *second);
}

/* The ends of locks of one window, as far as they were read: the call that began last of each sort. */
struct ends {
	const struct mpi_trace *trace;
	struct number_map places; /* target -> place in exclusive and any */
	uint32_t *exclusive, *any, count;
	uint32_t exclusive_anywhere, of_all_targets;
};

static uint32_t later(const struct ends *ends, uint32_t a, uint32_t b)
{
	const struct mpi_trace_call *calls = ends->trace->calls;
	return a == NO_CALL || (b != NO_CALL && calls[b].begin > calls[a].begin) ? b : a;
}

static uint32_t place_of(struct ends *ends, uint32_t target)
{
	uint32_t *place = number_map_place(&ends->places, target);
	if (*place != NO_NUMBER)
		return *place;
	ends->exclusive = memory_room(ends->exclusive, ends->count, sizeof *ends->exclusive);
	ends->any = memory_room(ends->any, ends->count, sizeof *ends->any);
	ends->exclusive[ends->count] = ends->any[ends->count] = NO_CALL;
	return *place = ends->count++;
}

/* A lock is never at the same time as an exclusive one of its targets, and if it is exclusive itself, as any. */
static uint32_t end_before(struct ends *ends, const struct mpi_lock *lock)
{
	if (lock->target == ALL_TARGETS)
		return ends->exclusive_anywhere;
	uint32_t place = place_of(ends, lock->target);
	return lock->exclusive ? later(ends, ends->any[place], ends->of_all_targets) : ends->exclusive[place];
}

static void add_end(struct ends *ends, const struct mpi_lock *lock)
{
	if (lock->completion == NO_CALL)
		return;
	if (lock->target == ALL_TARGETS) {
		ends->of_all_targets = later(ends, ends->of_all_targets, lock->completion);
		return;
	}
	uint32_t place = place_of(ends, lock->target);
	ends->any[place] = later(ends, ends->any[place], lock->completion);
	if (!lock->exclusive)
		return;
	ends->exclusive[place] = later(ends, ends->exclusive[place], lock->completion);
	ends->exclusive_anywhere = later(ends, ends->exclusive_anywhere, lock->completion);
}

static void next_window(struct ends *ends)
{
	number_map_free(&ends->places);
	ends->count = 0;
	free(ends->exclusive);
	free(ends->any);
	*ends = (struct ends){.trace = ends->trace, .exclusive_anywhere = NO_CALL, .of_all_targets = NO_CALL};
}

uint32_t *mpi_locks_before(const struct mpi_trace *trace)
{
	uint32_t *order = memory_new(trace->lock_count, sizeof *order);
	uint32_t *before = memory_new(trace->lock_count, sizeof *before);
	struct ends ends = {.trace = trace};
	for (uint32_t i = 0; i < trace->lock_count; i++)
		order[i] = i;
	if (trace->lock_count)
		qsort_r(order, trace->lock_count, sizeof *order, by_order, (void *)trace);
	for (uint32_t i = 0; i < trace->lock_count; i++) {
		const struct mpi_lock *lock = &trace->locks[order[i]];
		if (!i || !same_window(lock, &trace->locks[order[i - 1]]))
			next_window(&ends);
		before[order[i]] = end_before(&ends, lock);
		add_end(&ends, lock);
	}
	next_window(&ends);
	free(order);
	return before;
}
