/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes through the readings of each thread, and knows the spaces between two of them: each pair of stacks is looked at once. */
#include "space_model.h"
#include "flow_graph.h"
#include "space_paths.h"
#include "storage.h"
#include <stdlib.h>
#include <string.h>

/* The spaces between two stacks. */
struct between {
	uint32_t space[2], length[2];
	unsigned count;
	uint32_t whole;    /* instructions with exact ends */
	uint32_t function; /* of the first stack */
};

struct space_private {
	struct number_map graph_of; /* by function: its place in `graphs` */
	struct flow_graph **graphs;
	uint32_t graph_count;
	struct number_map between_of; /* by number_pair of stacks */
	struct between *betweens;
	uint32_t between_count;
	struct number_map last_of; /* by number_pair of experiment and thread */
	struct last_sample {
		uint64_t time;
		uint32_t stack;
	} * lasts;
	uint32_t last_count;
	unsigned (*value_of)[READINGS_MAX]; /* by experiment: the counter of each value; READINGS_MAX: none */
	space_visitor *visitor;
	void *context;
};

static bool has_readings(const struct experiment *file)
{
	for (unsigned s = 0; s < file->source_count; s++)
		if (file->sources[s].kind == KIND_READING && file->sources[s].block_count)
			return true;
	return false;
}

/* The place of a counter among those of all experiments, by its name; READINGS_MAX: there is no room for another one. */
static unsigned counter_number(struct space_counters *counters, const struct overflow_counter *counter)
{
	for (unsigned i = 0; i < counters->count; i++)
		if (!strcmp(counters->counter[i].name, counter->name))
			return i;
	if (counters->count == READINGS_MAX)
		return READINGS_MAX;
	if (!strcmp(counter->name, "instructions") || !strcmp(counter->name, "insts"))
		counters->instructions = counters->count;
	counters->counter[counters->count] = (struct space_counter){counter->name, counter->title};
	return counters->count++;
}

/* Adds an experiment's counters; its i-th value is that of the counter whose number is in value_of[i]. */
static void add_counters(
	struct space_counters *counters, const struct experiment *file, unsigned value_of[READINGS_MAX])
{
	unsigned values = 0;
	for (unsigned i = 0; i < file->overflow_counter_count && values < READINGS_MAX; i++)
		if (file->overflow_counters[i].delivery == DELIVERY_READ)
			value_of[values++] = counter_number(counters, &file->overflow_counters[i]);
	while (values < READINGS_MAX)
		value_of[values++] = READINGS_MAX;
}

bool space_model_begin(
	struct space_model *model, struct data *data, struct resolver *resolver, const struct space_rules *rules)
{
	bool some = false;
	*model = (struct space_model){.data = data, .resolver = resolver, .rules = *rules};
	model->counters.instructions = READINGS_MAX;
	for (uint32_t e = 0; e < data->experiment_count; e++)
		some |= has_readings(data->experiments[e].file);
	if (!some)
		return false;
	model->private = memory_new(1, sizeof *model->private);
	model->private->value_of = memory_new(data->experiment_count, sizeof *model->private->value_of);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		add_counters(&model->counters, data->experiments[e].file, model->private->value_of[e]);
	return true;
}

void space_model_free(struct space_model *model)
{
	struct space_private *private = model->private;
	space_table_free(&model->table);
	for (uint32_t i = 0; private && i < private->graph_count; i++)
		flow_graph_free(private->graphs[i]);
	if (private) {
		number_map_free(&private->graph_of);
		number_map_free(&private->between_of);
		number_map_free(&private->last_of);
		free(private->graphs);
		free(private->betweens);
		free(private->lasts);
		free(private->value_of);
	}
	free(private);
	model->private = 0;
}

static const struct flow_graph *graph_of(struct space_model *model, uint32_t function)
{
	struct space_private *private = model->private;
	uint32_t *place = number_map_place(&private->graph_of, function);
	if (*place == NO_NUMBER) {
		*place = private->graph_count;
		private->graphs = memory_room(private->graphs, private->graph_count, sizeof(struct flow_graph *));
		private->graphs[private->graph_count++] = flow_graph_create(model->resolver, model->data, function);
	}
	return private->graphs[*place];
}

/* The function that holds a stack's leaf, and the offset in it; FUNCTION_TOTAL: there is none. */
static uint32_t place_of(struct space_model *model, uint32_t stack, uint64_t *offset)
{
	struct frame frames[FRAMES_MAX];
	if (!stack || model->data->stacks[stack].flags & STACK_ROOT)
		return FUNCTION_TOTAL;
	unsigned count = resolver_frames(model->resolver, stack, frames);
	uint32_t function = frames[count - 1].own;
	const struct function *row = resolver_function(model->resolver, function);
	*offset = model->data->addresses[model->data->stacks[stack].address].offset - row->start;
	return row->artificial ? FUNCTION_TOTAL : function;
}

/* One instruction that is no code space: where a thread waited. */
static uint32_t stationary(struct space_model *model, const struct flow_graph *graph, struct flow_place place)
{
	const struct space_pair pair = {place.instruction, place.instruction + 1,
		flow_graph_offset(graph, place.block, place.instruction),
		flow_graph_offset(graph, place.block, place.instruction + 1)};
	return space_number(&model->table, SPACE_STATIONARY, graph->function, &pair, 1);
}

static void find_ways(struct space_model *model, struct between *between, const struct flow_graph *graph,
	uint64_t from_offset, uint64_t to_offset)
{
	struct flow_place from, to;
	struct space_ways ways = {0};
	from.block = flow_graph_block(graph, from_offset, &from.instruction);
	to.block = flow_graph_block(graph, to_offset, &to.instruction);
	if (from.block == NO_BLOCK || to.block == NO_BLOCK)
		return;
	space_ways_find(&ways, graph, from, to, model->rules.exact);
	between->whole = ways.length;
	if (ways.stationary) {
		between->space[0] = stationary(model, graph, from);
		between->count = 1;
	}
	for (unsigned i = 0; i < ways.count; i++) {
		uint32_t space =
			space_number(&model->table, SPACE_CODE, graph->function, ways.pairs[i], ways.pair_count[i]);
		between->length[i] = model->table.spaces[space].length;
		between->space[i] = space;
		between->count = i + 1;
	}
	space_ways_free(&ways);
}

static const struct between *between(struct space_model *model, uint32_t from, uint32_t to)
{
	struct space_private *private = model->private;
	uint32_t *place = number_map_place(&private->between_of, number_pair(from, to));
	if (*place != NO_NUMBER)
		return &private->betweens[*place];
	*place = private->between_count;
	uint64_t from_offset = 0, to_offset = 0;
	struct between made = {.function = place_of(model, from, &from_offset)};
	uint32_t other = place_of(model, to, &to_offset);
	const struct flow_graph *graph =
		made.function != FUNCTION_TOTAL && made.function == other ? graph_of(model, made.function) : 0;
	if (graph)
		find_ways(model, &made, graph, from_offset, to_offset);
	if (!made.count) {
		made.space[0] = space_number(&model->table, SPACE_UNRESOLVED, made.function, 0, 0);
		made.count = 1;
	}
	private->betweens = memory_room(private->betweens, private->between_count, sizeof made);
	private->betweens[private->between_count] = made;
	return &private->betweens[private->between_count++];
}

/* The part of a number for the first of two pieces; no product can be too large for it. */
static uint64_t part_of(uint64_t number, const struct between *between)
{
	uint64_t whole = (uint64_t)between->length[0] + between->length[1];
	return (uint64_t)((__uint128_t)number * between->length[0] / whole);
}

static void visit_interval(struct space_model *model, const struct between *between, struct space_piece piece)
{
	const struct space_private *private = model->private;
	unsigned instructions = model->counters.instructions;
	piece.space = between->space[0];
	if (between->whole && instructions < READINGS_MAX && piece.known & 1u << instructions &&
		piece.counted[instructions] < between->whole)
		piece.space = space_number(&model->table, SPACE_INCONSISTENT, between->function, 0, 0);
	else if (between->count == 2) {
		struct space_piece first = piece;
		first.to = piece.from + part_of(piece.to - piece.from, between);
		for (unsigned i = 0; i < READINGS_MAX; i++) {
			first.counted[i] = part_of(piece.counted[i], between);
			piece.counted[i] -= first.counted[i];
		}
		private->visitor(private->context, &first);
		piece.from = first.to;
		piece.space = between->space[1];
	}
	private->visitor(private->context, &piece);
}

static struct last_sample *last_of(struct space_private *private, uint32_t experiment, uint32_t thread, bool *first)
{
	uint32_t *place = number_map_place(&private->last_of, number_pair(experiment, thread));
	*first = *place == NO_NUMBER;
	if (*first) {
		*place = private->last_count;
		private->lasts = memory_room(private->lasts, private->last_count, sizeof *private->lasts);
		private->last_count++;
	}
	return &private->lasts[*place];
}

static void take_values(struct space_piece *piece, const struct data_batch *batch, uint32_t event,
	const unsigned value_of[READINGS_MAX])
{
	uint64_t known = batch->field[FIELD_INDEX(READING, known)][event];
	for (unsigned v = 0; v < READINGS_MAX; v++) {
		unsigned counter = value_of[v];
		if (!(known & 1u << v) || counter == READINGS_MAX)
			continue;
		piece->known |= 1u << counter;
		piece->counted[counter] = batch->field[FIELD_INDEX(READING, value0) + v][event];
	}
}

static void take_batch(void *context, const struct data_batch *batch, const bool *kept)
{
	struct space_model *model = context;
	uint32_t experiment = (uint32_t)(batch->experiment - model->data->experiments);
	for (uint32_t i = 0; i < batch->count; i++) {
		bool first;
		struct last_sample *last = last_of(model->private, experiment, batch->thread[i], &first);
		struct last_sample before = *last;
		*last = (struct last_sample){batch->time[i], batch->stack[i]};
		if (first || (kept && !kept[i]))
			continue;
		struct space_piece piece = {.experiment = experiment,
			.thread = batch->thread[i],
			.from = before.time,
			.to = batch->time[i] > before.time ? batch->time[i] : before.time};
		take_values(&piece, batch, i, model->private->value_of[experiment]);
		visit_interval(model, between(model, before.stack, batch->stack[i]), piece);
	}
}

void space_model_visit(
	struct space_model *model, const struct event_filter *filter, space_visitor *visitor, void *context)
{
	struct space_private *private = model->private;
	number_map_free(&private->last_of);
	private->last_of = (struct number_map){0};
	private->last_count = 0;
	private->visitor = visitor;
	private->context = context;
	event_filter_mark_in_time(model->data, KIND_READING, filter, take_batch, model);
}
