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

static uint32_t experiment_of(const struct mpi_locks *locks, const struct mpi_lock *lock)
{
	return mpi_open_experiment(locks->calls, lock->start);
}

static void add_lock(struct mpi_locks *locks, const struct mpi_lock *lock)
{
	uint32_t *newest = number_map_place(&locks->open, number_pair(experiment_of(locks, lock), lock->target));
	locks->locks = memory_room(locks->locks, locks->lock_count, sizeof *locks->locks);
	locks->older = memory_room(locks->older, locks->lock_count, sizeof *locks->older);
	locks->locks[locks->lock_count] = *lock;
	locks->older[locks->lock_count] = *newest == NO_NUMBER ? NO_LOCK : *newest;
	*newest = locks->lock_count++;
}

static uint32_t find_open(const struct mpi_locks *locks, const struct mpi_lock *at, uint32_t target)
{
	uint32_t lock = number_map_find(&locks->open, number_pair(experiment_of(locks, at), target));
	while (lock != NO_LOCK && !same_window(&locks->locks[lock], at))
		lock = locks->older[lock];
	return lock;
}

/* The newest lock of the process at this window and target, of all targets where it has none for this one; NO_LOCK: none. */
static uint32_t find_lock(const struct mpi_locks *locks, const struct mpi_lock *at, uint32_t *open_target)
{
	uint32_t lock = find_open(locks, at, *open_target = at->target);
	return lock != NO_LOCK ? lock : find_open(locks, at, *open_target = ALL_TARGETS);
}

/* `open_target`: as it was found. */
static void end_lock(struct mpi_locks *locks, uint32_t lock, uint32_t open_target, uint32_t call)
{
	uint64_t key = number_pair(experiment_of(locks, &locks->locks[lock]), open_target);
	uint32_t newest = number_map_find(&locks->open, key), older = locks->older[lock];
	locks->locks[lock].completion = call;
	if (newest == lock) {
		number_map_take(&locks->open, key);
		if (older != NO_LOCK)
			*number_map_place(&locks->open, key) = older;
		return;
	}
	while (locks->older[newest] != lock)
		newest = locks->older[newest];
	locks->older[newest] = older;
}

void mpi_locks_add(struct mpi_locks *locks, const struct mpi_world *world, const struct mpi_event *event)
{
	struct mpi_lock lock = {.window = FIELD(event, order) >> 32,
		.communicator = mpi_world_find(world, event->experiment, FIELD(event, communicator)),
		.target = (uint32_t)FIELD(event, peer),
		.completion = MPI_NO_CALL,
		.exclusive = FIELD(event, tag) != 0,
		.kept = event->kept};
	if (lock.communicator == NO_COMMUNICATOR)
		return;
	uint32_t call = lock.start = mpi_open_call(locks->calls, event, false), open_target;
	if (FIELD(event, role) == STATE_VALUE(MPI, role, lock)) {
		add_lock(locks, &lock);
		return;
	}
	uint32_t found = find_lock(locks, &lock, &open_target);
	if (found == NO_LOCK) {
		mpi_open_release(locks->calls, call);
		return;
	}
	locks->locks[found].kept |= event->kept;
	if (FIELD(event, role) == STATE_VALUE(MPI, role, unlock)) {
		end_lock(locks, found, open_target, call);
		return;
	}
	locks->flushes = memory_room(locks->flushes, locks->flush_count, sizeof *locks->flushes);
	locks->flushes[locks->flush_count++] = (struct mpi_flush){found, call};
}

static int by_order(const void *left, const void *right, void *context)
{
	const uint32_t *first = left, *second = right;
	const struct mpi_locks *locks = context;
	const struct mpi_lock *a = &locks->locks[*first], *b = &locks->locks[*second];
	int order = COMPARE(a->communicator, b->communicator) ?: COMPARE(a->window, b->window);
	order = order ?: COMPARE(mpi_open_at(locks->calls, a->start)->end, mpi_open_at(locks->calls, b->start)->end);
	order = order ?: COMPARE(experiment_of(locks, a), experiment_of(locks, b));
	return order ?: COMPARE(*first, *second);
}

/* The ends of locks of one window, as far as they were read: the call that began last of each sort. */
struct ends {
	const struct mpi_open_calls *calls;
	struct number_map places; /* target -> place in exclusive and any */
	uint32_t *exclusive, *any, count;
	uint32_t exclusive_anywhere, of_all_targets;
};

static uint32_t later(const struct ends *ends, uint32_t a, uint32_t b)
{
	bool both = a != MPI_NO_CALL && b != MPI_NO_CALL;
	return a == MPI_NO_CALL || (both && mpi_open_at(ends->calls, b)->begin > mpi_open_at(ends->calls, a)->begin)
		       ? b
		       : a;
}

static uint32_t place_of(struct ends *ends, uint32_t target)
{
	uint32_t *place = number_map_place(&ends->places, target);
	if (*place != NO_NUMBER)
		return *place;
	ends->exclusive = memory_room(ends->exclusive, ends->count, sizeof *ends->exclusive);
	ends->any = memory_room(ends->any, ends->count, sizeof *ends->any);
	ends->exclusive[ends->count] = ends->any[ends->count] = MPI_NO_CALL;
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
	if (lock->completion == MPI_NO_CALL)
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
	*ends = (struct ends){.calls = ends->calls, .exclusive_anywhere = MPI_NO_CALL, .of_all_targets = MPI_NO_CALL};
}

/* By lock: the call that ended the last lock before it that it could not be at the same time as, MPI_NO_CALL: there is none. */
static uint32_t *locks_before(struct mpi_locks *locks)
{
	uint32_t *order = memory_new(locks->lock_count, sizeof *order);
	uint32_t *before = memory_new(locks->lock_count, sizeof *before);
	struct ends ends = {.calls = locks->calls};
	for (uint32_t i = 0; i < locks->lock_count; i++)
		order[i] = i;
	if (locks->lock_count)
		qsort_r(order, locks->lock_count, sizeof *order, by_order, locks);
	for (uint32_t i = 0; i < locks->lock_count; i++) {
		const struct mpi_lock *lock = &locks->locks[order[i]];
		if (!i || !same_window(lock, &locks->locks[order[i - 1]]))
			next_window(&ends);
		before[order[i]] = end_before(&ends, lock);
		add_end(&ends, lock);
	}
	next_window(&ends);
	free(order);
	return before;
}

static void offer(struct mpi_locks *locks, uint32_t call, uint32_t before, bool kept)
{
	if (call == MPI_NO_CALL || before == MPI_NO_CALL)
		return;
	struct mpi_late late = mpi_open_late(locks->calls, before);
	mpi_open_offer_if_held_up(locks->calls, call, &late, MPI_WAIT_lock, kept);
}

void mpi_locks_end(struct mpi_locks *locks)
{
	uint32_t *before = locks_before(locks);
	for (uint32_t l = 0; l < locks->lock_count; l++) {
		offer(locks, locks->locks[l].start, before[l], locks->locks[l].kept);
		offer(locks, locks->locks[l].completion, before[l], locks->locks[l].kept);
	}
	for (uint32_t f = 0; f < locks->flush_count; f++) {
		const struct mpi_flush *flush = &locks->flushes[f];
		offer(locks, flush->call, before[flush->lock], locks->locks[flush->lock].kept);
		mpi_open_release(locks->calls, flush->call);
	}
	for (uint32_t l = 0; l < locks->lock_count; l++) {
		mpi_open_release(locks->calls, locks->locks[l].start);
		mpi_open_release(locks->calls, locks->locks[l].completion);
	}
	free(before);
	free(locks->locks);
	free(locks->flushes);
	free(locks->older);
	number_map_free(&locks->open);
}
