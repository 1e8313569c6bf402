/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides each interval between two samples among the code spaces that are in it. */
#include "space_model.h"
#include "sample_intervals.h"
#include "stack_spaces.h"
#include "stack_sums.h"
#include "storage.h"
#include <stdlib.h>

struct space_private {
	struct stack_ways ways;
	unsigned (*value_of)[SPACE_VALUES_MAX]; /* by experiment: the counter of each value */
	space_visitor *visitor;
	void *context;
};

static bool has_samples(const struct experiment *file)
{
	return experiment_has_kind(file, KIND_READING) || experiment_has_kind(file, KIND_CLOCK) ||
	       experiment_has_kind(file, KIND_OFFCPU);
}

bool space_model_begin(
	struct space_model *model, struct data *data, struct resolver *resolver, const struct space_rules *rules)
{
	bool some = false;
	*model = (struct space_model){.data = data, .resolver = resolver, .rules = *rules};
	model->counters.instructions = SPACE_COUNTERS_MAX;
	for (uint32_t e = 0; e < data->experiment_count; e++)
		some |= has_samples(data->experiments[e].file);
	if (!some)
		return false;
	model->private = memory_new(1, sizeof *model->private);
	model->private->ways = (struct stack_ways){
		.places = {.data = data, .resolver = resolver}, .rules = *rules, .table = &model->table};
	model->places = &model->private->ways.places;
	model->private->value_of = memory_new(data->experiment_count, sizeof *model->private->value_of);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		space_counters_add(&model->counters, data->experiments[e].file, model->private->value_of[e]);
	return true;
}

void space_model_free(struct space_model *model)
{
	struct space_private *private = model->private;
	space_table_free(&model->table);
	if (private) {
		stack_ways_free(&private->ways);
		free(private->value_of);
	}
	free(private);
	model->private = 0;
}

/* The part of a number for a part of what is left of the spaces' length; no product can be too large for it. */
static uint64_t part_of(uint64_t number, uint32_t length, uint32_t length_left)
{
	return (uint64_t)((__uint128_t)number * length / length_left);
}

/* The space that the interval is of for a part of it: what returned or began belongs to the common frame's. */
static uint32_t main_part(const struct stack_spaces *between, uint32_t part)
{
	uint32_t last = between->own + between->own_count - 1;
	return part < between->own ? between->own : part > last ? last : part;
}

static void visit_parts(
	const struct space_private *private, const struct stack_spaces *between, const struct space_piece *whole)
{
	const struct stack_part *parts = private->ways.parts + between->first;
	struct space_piece left = *whole;
	uint32_t length_left = between->length;
	for (uint32_t p = 0; p < between->count; p++) {
		struct space_piece piece = left;
		bool is_last = p + 1 == between->count;
		piece.space = parts[p].space;
		piece.main_space = parts[main_part(between, p)].space;
		piece.nested = main_part(between, p) != p;
		piece.same_interval = p > 0 || piece.goes_on;
		if (!is_last)
			piece.to = left.from + part_of(left.to - left.from, parts[p].length, length_left);
		for (unsigned i = 0; i < SPACE_COUNTERS_MAX; i++) {
			if (!is_last)
				piece.counted[i] = part_of(left.counted[i], parts[p].length, length_left);
			left.counted[i] -= piece.counted[i];
		}
		left.from = piece.to;
		length_left -= parts[p].length;
		private->visitor(private->context, &piece);
	}
}

static bool is_inconsistent(
	const struct space_model *model, const struct stack_spaces *between, const struct space_piece *piece)
{
	unsigned instructions = model->counters.instructions;
	return between->whole && !piece->goes_on && instructions < SPACE_COUNTERS_MAX &&
	       piece->known & 1u << instructions && piece->counted[instructions] < between->whole;
}

static void visit_whole(struct space_model *model, struct space_piece piece, uint32_t space)
{
	piece.space = piece.main_space = space;
	model->private->visitor(model->private->context, &piece);
}

/* Off the CPU; if it did not wait it is within what runs around it. */
static void visit_off_cpu(struct space_model *model, const struct sample_interval *interval, struct space_piece piece)
{
	struct stack_ways *ways = &model->private->ways;
	piece.space = stack_space_off_cpu(ways, interval->off_stack, interval->state, !interval->aside);
	piece.main_space = piece.space;
	if (interval->aside) {
		piece.nested = true;
		piece.same_interval = interval->goes_on;
		const struct stack_spaces *between =
			stack_spaces_between(ways, interval->from_stack, interval->to_stack);
		piece.depth = between->depth;
		piece.main_space = ways->parts[between->first + between->own].space;
	}
	model->private->visitor(model->private->context, &piece);
}

static void take_interval(void *context, const struct sample_interval *interval)
{
	struct space_model *model = context;
	struct stack_ways *ways = &model->private->ways;
	struct space_piece piece = {.experiment = interval->experiment,
		.thread = interval->thread,
		.from = interval->from,
		.to = interval->to,
		.goes_on = interval->goes_on,
		.known = interval->known,
		.off_cpu = interval->off_cpu,
		.depth = UINT32_MAX};
	for (unsigned i = 0; i < SPACE_COUNTERS_MAX; i++)
		piece.counted[i] = interval->counted[i];
	if (interval->off_cpu) {
		visit_off_cpu(model, interval, piece);
		return;
	}
	const struct stack_spaces between = *stack_spaces_between(ways, interval->from_stack, interval->to_stack);
	piece.depth = between.depth;
	if (is_inconsistent(model, &between, &piece))
		visit_whole(model, piece,
			space_number(&model->table,
				&(struct space_key){SPACE_INCONSISTENT, between.function, SPACE_RAN, 0, 0}));
	else
		visit_parts(model->private, &between, &piece);
}

void space_model_visit(
	struct space_model *model, const struct event_filter *filter, space_visitor *visitor, void *context)
{
	struct space_private *private = model->private;
	private->visitor = visitor;
	private->context = context;
	sample_intervals_visit(model->data, private->value_of, filter, take_interval, model);
}
