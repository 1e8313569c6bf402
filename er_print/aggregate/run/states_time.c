/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metric of a thread's time by state: as Total Thread Time, but where the thread did not run, its state is a function at the
   leaf of the stack. */
#include "event_filter.h"
#include "metrics.h"
#include "storage.h"

#include <stdlib.h>

struct pass {
	struct data *data;
	enum kind kind;
	const struct metric_keys *keys;
	uint64_t *sums, *events;
	uint32_t *stacks, room; /* those of a batch with states */
};

/* The stack of a thread that was in a state there. */
static uint32_t stack_of(struct data *data, uint32_t stack, uint64_t state)
{
	return data_stack_on(data, stack, data_address(data, OBJECT_INDEX_TOTAL, STATE_OFFSET(state)), STACK_EXACT);
}

static const uint32_t *with_states(struct pass *pass, const struct data_batch *batch)
{
	const uint64_t *state = batch->field[FIELD_INDEX(OFFCPU, state)];
	const uint64_t *duration = batch->field[FIELD_INDEX(OFFCPU, duration)];
	if (batch->count > pass->room) {
		pass->room = batch->count;
		pass->stacks = memory_resize(pass->stacks, pass->room, sizeof *pass->stacks);
	}
	for (uint32_t i = 0; i < batch->count; i++)
		pass->stacks[i] = duration[i] ? stack_of(pass->data, batch->stack[i], state[i]) : batch->stack[i];
	return pass->stacks;
}

static void add_batch(void *context, const struct data_batch *batch)
{
	struct pass *pass = context;
	bool clock = pass->kind == KIND_CLOCK;
	const uint64_t *time = batch->field[clock ? FIELD_INDEX(CLOCK, user) : FIELD_INDEX(OFFCPU, duration)];
	const uint64_t *system = clock ? batch->field[FIELD_INDEX(CLOCK, system)] : 0;
	struct data_batch stated = *batch;
	if (!clock)
		stated.stack = with_states(pass, batch);
	const uint32_t *key = pass->keys ? pass->keys->of(pass->keys->context, pass->kind, &stated) : stated.stack;
	for (uint32_t i = 0; i < batch->count; i++)
		pass->sums[key[i]] += time[i] + (system ? system[i] : 0);
	*pass->events += batch->count;
}

static void add_stacks(void *context, const struct data_batch *batch)
{
	with_states(context, batch);
}

/* Row of metrics.def. */
metric_stacks state_stacks;
void state_stacks(struct data *data)
{
	struct pass pass = {.data = data};
	data_visit(data, KIND_OFFCPU, add_stacks, &pass);
	free(pass.stacks);
}

/* Row of metrics.def. */
metric_pass states_time;
void states_time(struct data *data, const struct event_filter *filter, const struct metric_keys *keys, uint64_t **sums,
	uint64_t *events)
{
	struct pass pass = {.data = data, .keys = keys, .sums = sums[0], .events = events};
	static const enum kind kinds[] = {KIND_CLOCK, KIND_OFFCPU};
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		pass.kind = kinds[i];
		event_filter_visit(data, pass.kind, filter, add_batch, &pass);
	}
	free(pass.stacks);
}
