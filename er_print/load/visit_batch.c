/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes a block and makes it common. */
#include "storage.h"
#include "timed_stacks.h"
#include "visit.h"
#include <stdlib.h>

static void make_stacks_common(const struct loaded_experiment *experiment, uint32_t *stack, uint32_t count)
{
	const uint32_t *stack_of = experiment->stack_of;
	uint32_t known = experiment->stack_of_count;
	for (uint32_t i = 0; i < count; i++)
		stack[i] = stack[i] < known ? stack_of[stack[i]] : 0;
}

static void make_field_common(const struct loaded_experiment *experiment, uint64_t *stack, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		stack[i] = stack[i] < experiment->stack_of_count ? experiment->stack_of[stack[i]] : 0;
}

/* Events of counters that count what is not the program's doing have no stack of their own: they share one. */
static void mark_unrelated(
	const struct loaded_experiment *experiment, struct event_batch *events, const uint64_t *counter)
{
	const struct experiment *file = experiment->file;
	for (uint32_t i = 0; i < events->count; i++)
		if (counter[i] < file->overflow_counter_count && file->overflow_counters[counter[i]].unrelated)
			events->stack[i] = experiment->unrelated_stack;
}

static void mark_starts(const struct loaded_experiment *experiment, struct event_batch *events, const uint64_t *mode)
{
	for (uint32_t i = 0; i < events->count; i++) {
		if (mode[i] == STATE_VALUE(CLOCK, mode, collector))
			events->stack[i] = experiment->collector_stack;
		if (mode[i] == STATE_VALUE(CLOCK, mode, start))
			events->stack[i] = experiment->start_stack;
	}
}

/* Where the mode is not known, a tick with more system time than user time was in the kernel. */
static bool is_of_kernel(const struct data_batch *batch, uint32_t i)
{
	uint64_t mode = batch->field[FIELD_INDEX(CLOCK, mode)][i];
	return mode == STATE_VALUE(CLOCK, mode, unknown)
		       ? batch->field[FIELD_INDEX(CLOCK, system)][i] > batch->field[FIELD_INDEX(CLOCK, user)][i]
		       : mode == STATE_VALUE(CLOCK, mode, kernel);
}

static void charge_ticks(const struct tick_stacks *places, const struct data_batch *batch, uint32_t *stack)
{
	const uint64_t *mode = batch->field[FIELD_INDEX(CLOCK, mode)];
	for (uint32_t i = 0; i < batch->count; i++)
		if (data_is_tick(mode[i]) && stack[i] < places->count)
			stack[i] = (is_of_kernel(batch, i) ? places->kernel : places->user)[stack[i]];
}

void visit_begin(struct visit *visit, const struct data *data, enum kind kind)
{
	const struct kind_row *row = kind_row(kind);
	*visit = (struct visit){.data = data, .kind = kind, .zeros = memory_new(BLOCK_MAX, sizeof *visit->zeros)};
	for (unsigned f = 0; f < row->field_count; f++)
		visit->stack_field[f] = row->fields[f].unit == UNIT_STACK;
}

void visit_end(struct visit *visit)
{
	free(visit->zeros);
}

static struct data_batch make_common(const struct visit *visit, const struct loaded_experiment *experiment,
	const struct event_source *source, struct event_batch *events)
{
	struct data_batch batch = {.experiment = experiment,
		.source = source,
		.count = events->count,
		.time = events->time,
		.thread = events->thread,
		.cpu = events->cpu,
		.stack = events->stack};
	make_stacks_common(experiment, events->stack, events->count);
	for (uint32_t i = 0; experiment->start_offset && i < events->count; i++)
		events->time[i] += experiment->start_offset;
	const struct kind_row *row = kind_row(visit->kind);
	for (unsigned f = 0; f < row->field_count; f++) {
		int column = source->field_of_kind[f];
		batch.field[f] = column >= 0 ? events->field[column] : visit->zeros;
		if (column >= 0 && visit->stack_field[f])
			make_field_common(experiment, events->field[column], events->count);
	}
	if (visit->kind == KIND_OVERFLOW && experiment->unrelated_stack)
		mark_unrelated(experiment, events, batch.field[FIELD_INDEX(OVERFLOW, counter)]);
	if (visit->kind == KIND_CLOCK) {
		charge_ticks(&visit->data->tick_stacks, &batch, events->stack);
		mark_starts(experiment, events, batch.field[FIELD_INDEX(CLOCK, mode)]);
	}
	timed_stacks_apply(visit->data->timed_stacks, (uint32_t)(experiment - visit->data->experiments), visit->kind,
		&batch, events->stack);
	return batch;
}

void visit_decode(const struct visit *visit, const struct visited_block *block, struct decoded_block *decoded)
{
	struct event_cursor cursor = {0};
	visit_decode_part(visit, block, &cursor, UINT32_MAX, decoded);
}

void visit_decode_part(const struct visit *visit, const struct visited_block *block, struct event_cursor *cursor,
	uint32_t most, struct decoded_block *decoded)
{
	const struct loaded_experiment *experiment = &visit->data->experiments[block->experiment];
	struct event_source *source = &experiment->file->sources[block->source];
	decoded->some = event_source_read_part(experiment->file, source, block->block, cursor, most, &decoded->events);
	if (decoded->some)
		decoded->batch = make_common(visit, experiment, source, &decoded->events);
}

void visit_empty(void *decoded_block)
{
	event_batch_free(&((struct decoded_block *)decoded_block)->events);
}
