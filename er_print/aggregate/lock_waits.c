/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass over the waits, then sorting. */
#include "lock_waits.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

struct pass {
	struct lock_waits *waits;
	struct expression *object, *caller;
	struct number_map locks, callers;
};

static uint32_t lock_of(struct pass *pass, int64_t value)
{
	struct lock_waits *waits = pass->waits;
	uint32_t *place = number_map_place(&pass->locks, (uint64_t)value);
	if (*place == NO_NUMBER) {
		memory_reserve(waits->locks, waits->lock_count, waits->lock_capacity);
		waits->locks[waits->lock_count] = (struct lock){.value = value};
		*place = waits->lock_count++;
	}
	return *place;
}

static uint32_t caller_of(struct pass *pass, uint32_t lock, uint32_t function)
{
	struct lock_waits *waits = pass->waits;
	uint32_t *place = number_map_place(&pass->callers, number_pair(lock, function));
	if (*place == NO_NUMBER) {
		memory_reserve(waits->callers, waits->caller_count, waits->caller_capacity);
		waits->callers[waits->caller_count] = (struct lock_caller){.lock = lock, .function = function};
		*place = waits->caller_count++;
	}
	return *place;
}

static void add_wait(struct waits *waits, uint64_t duration, bool failed)
{
	waits->count++;
	waits->time += duration;
	waits->failed += failed;
	if (duration > waits->longest)
		waits->longest = duration;
}

static void add_batch(void *context, const struct data_batch *batch)
{
	struct pass *pass = context;
	for (uint32_t first = 0; first < batch->count; first += EXPRESSION_CHUNK) {
		uint32_t left = batch->count - first, count = left < EXPRESSION_CHUNK ? left : EXPRESSION_CHUNK;
		const int64_t *object = expression_evaluate(pass->object, KIND_SYNC, batch, first, count);
		const int64_t *function = expression_evaluate(pass->caller, KIND_SYNC, batch, first, count);
		for (uint32_t i = 0; i < count; i++) {
			uint64_t duration = batch->field[FIELD_INDEX(SYNC, duration)][first + i];
			bool failed = batch->field[FIELD_INDEX(SYNC, result)][first + i] != 0;
			uint32_t lock = lock_of(pass, object[i]);
			uint32_t caller = caller_of(pass, lock, (uint32_t)function[i]);
			add_wait(&pass->waits->locks[lock].waits, duration, failed);
			add_wait(&pass->waits->callers[caller].waits, duration, failed);
		}
	}
}

/* More time first; equal ones by number, so that the order is always the same. */
static int order(uint64_t time, uint64_t other, int64_t number, int64_t other_number)
{
	return COMPARE(other, time) ?: COMPARE(number, other_number);
}

static int compare_locks(const void *one, const void *other)
{
	const struct lock *a = one, *b = other;
	return order(a->waits.time, b->waits.time, a->value, b->value);
}

static int compare_callers(const void *one, const void *other)
{
	const struct lock_caller *a = one, *b = other;
	return COMPARE(a->lock, b->lock) ?: order(a->waits.time, b->waits.time, a->function, b->function);
}

static void sort(struct pass *pass)
{
	struct lock_waits *waits = pass->waits;
	uint32_t *rank = memory_new(waits->lock_count, sizeof *rank);
	if (waits->lock_count)
		qsort(waits->locks, waits->lock_count, sizeof *waits->locks, compare_locks);
	/* Sorting has moved the locks: callers get the new place of theirs before they are sorted by it. */
	for (uint32_t lock = 0; lock < waits->lock_count; lock++)
		rank[number_map_find(&pass->locks, (uint64_t)waits->locks[lock].value)] = lock;
	for (uint32_t caller = 0; caller < waits->caller_count; caller++)
		waits->callers[caller].lock = rank[waits->callers[caller].lock];
	if (waits->caller_count)
		qsort(waits->callers, waits->caller_count, sizeof *waits->callers, compare_callers);
	free(rank);
}

struct lock_waits *lock_waits_compute(
	struct data *data, const struct event_filter *filter, struct expression *object, struct expression *caller)
{
	struct pass pass = {.waits = memory_new(1, sizeof(struct lock_waits)), .object = object, .caller = caller};
	event_filter_visit(data, KIND_SYNC, filter, add_batch, &pass);
	sort(&pass);
	number_map_free(&pass.locks);
	number_map_free(&pass.callers);
	return pass.waits;
}

void lock_waits_free(struct lock_waits *waits)
{
	if (!waits)
		return;
	free(waits->locks);
	free(waits->callers);
	free(waits);
}
