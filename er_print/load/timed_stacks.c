/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The change before an event's time says what its stack is. */
#include "timed_stacks.h"
#include "event_times.h"
#include "search.h"
#include "storage.h"
#include <stdlib.h>

void timed_stacks_free(struct timed_stacks *timed)
{
	if (!timed)
		return;
	for (uint32_t t = 0; t < timed->thread_count; t++)
		free(timed->of[t].changes);
	number_map_free(&timed->threads);
	free(timed->of);
	free(timed->caller);
	free(timed);
}

static const struct timed_thread *thread_of(const struct timed_stacks *timed, uint32_t experiment, uint32_t thread)
{
	uint32_t place = number_map_find(&timed->threads, number_pair(experiment, thread));
	return place == NO_NUMBER ? 0 : &timed->of[place];
}

/* An interval without a stack of its own has that of another moment. */
static bool is_guessed(enum kind kind, const struct data_batch *batch, uint32_t i)
{
	return kind == KIND_OFFCPU && batch->field[FIELD_INDEX(OFFCPU, place)][i] != STATE_VALUE(OFFCPU, place, call);
}

static bool is_of_run_time(const struct timed_stacks *timed, uint32_t stack, uint32_t from)
{
	uint32_t caller = stack < timed->caller_count ? timed->caller[stack] : stack;
	return stack && (!caller || caller == from);
}

/* 0: what it was recorded with. */
static const struct timed_stack *change_at(const struct timed_thread *thread, uint64_t time)
{
	uint64_t after = FIRST_WHERE(i, thread->count, thread->changes[i].time > time);
	return after && thread->changes[after - 1].stack ? &thread->changes[after - 1] : 0;
}

void timed_stacks_apply(const struct timed_stacks *timed, uint32_t experiment, enum kind kind,
	const struct data_batch *batch, uint32_t *stack)
{
	if (!timed || kind == KIND_OPENMP)
		return;
	const struct timed_thread *thread = 0;
	for (uint32_t i = 0; i < batch->count; i++) {
		if (!i || batch->thread[i] != batch->thread[i - 1])
			thread = thread_of(timed, experiment, batch->thread[i]);
		const struct timed_stack *change = thread ? change_at(thread, event_middle(kind, batch, i)) : 0;
		if (change && (is_guessed(kind, batch, i) || is_of_run_time(timed, stack[i], change->caller)))
			stack[i] = change->stack;
	}
}
