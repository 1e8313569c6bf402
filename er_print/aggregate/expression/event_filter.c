/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes on batches of what is kept: whole ones as they are, others with their columns closed up. */
#include "event_filter.h"
#include "critical_split.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

struct filtering {
	const struct data *data;
	enum kind kind;
	const struct event_filter *filter;
	data_visitor *visitor;
	marked_visitor *marked;
	void *context;
	uint32_t *kept, kept_count, capacity; /* places in the batch */
	uint64_t *time, *field[FIELDS_MAX];
	uint32_t *thread, *cpu, *stack;
	bool *marks;
	expression_column *columns;   /* in which the expression is evaluated */
	struct critical_split *split; /* 0: what is kept is kept as it is */
	const bool *split_kept;
	uint32_t group; /* the one that is kept; 0: all */
	bool each_part; /* the visitor gets the events of each part */
	expression_column **part_columns;
};

static void make_room(struct filtering *filtering, uint32_t count)
{
	if (count <= filtering->capacity)
		return;
	filtering->capacity = count;
	filtering->kept = memory_resize(filtering->kept, count, sizeof *filtering->kept);
	filtering->marks = memory_resize(filtering->marks, count, sizeof *filtering->marks);
	filtering->time = memory_resize(filtering->time, count, sizeof *filtering->time);
	filtering->thread = memory_resize(filtering->thread, count, sizeof *filtering->thread);
	filtering->cpu = memory_resize(filtering->cpu, count, sizeof *filtering->cpu);
	filtering->stack = memory_resize(filtering->stack, count, sizeof *filtering->stack);
	for (unsigned f = 0; f < FIELDS_MAX; f++)
		filtering->field[f] = memory_resize(filtering->field[f], count, sizeof *filtering->field[f]);
}

/* Keeps those of the kept for which the expression is true. */
static void keep_by_expression(struct filtering *filtering, const struct data_batch *batch,
	const struct expression *expression, expression_column *columns)
{
	uint32_t kept = 0, next = 0;
	while (next < filtering->kept_count) {
		uint32_t first = filtering->kept[next] / EXPRESSION_CHUNK * EXPRESSION_CHUNK;
		uint32_t left = batch->count - first, count = left < EXPRESSION_CHUNK ? left : EXPRESSION_CHUNK;
		const int64_t *value =
			expression_evaluate_in(columns, expression, (int)filtering->kind, batch, first, count);
		for (; next < filtering->kept_count && filtering->kept[next] < first + count; next++) {
			uint32_t event = filtering->kept[next];
			filtering->kept[kept] = event;
			kept += value[event - first] != 0;
		}
	}
	filtering->kept_count = kept;
}

static void keep_split(struct filtering *filtering)
{
	uint32_t kept = 0;
	for (uint32_t k = 0; k < filtering->kept_count; k++) {
		uint32_t event = filtering->kept[k];
		filtering->kept[kept] = event;
		kept += filtering->split_kept[event];
	}
	filtering->kept_count = kept;
}

static bool is_selected(const struct filtering *filtering, const struct data_batch *batch,
	const struct selected_experiment *selected, uint32_t event)
{
	const struct number_ranges *lwps = &selected->of[SELECT_LWPS], *samples = &selected->of[SELECT_SAMPLES];
	return ranges_have(&selected->of[SELECT_THREADS], batch->thread[event]) &&
	       ranges_have(&selected->of[SELECT_CPUS], batch->cpu[event]) &&
	       (!samples->some ||
		       ranges_have(samples, process_samples_at(&batch->experiment->samples, batch->time[event]))) &&
	       (!lwps->some || ranges_have(lwps, kernel_thread(&filtering->filter->threads, batch->experiment->number,
							 batch->thread[event])));
}

static void keep_selected(struct filtering *filtering, const struct data_batch *batch)
{
	uint32_t experiment = (uint32_t)(batch->experiment - filtering->data->experiments), kept = 0;
	const struct selected_experiment *selected = selection_of(filtering->filter->selection, experiment);
	if (selected->off)
		filtering->kept_count = 0;
	for (uint32_t k = 0; k < filtering->kept_count; k++) {
		uint32_t event = filtering->kept[k];
		/* Written always and counted only where it is kept: a loop without a branch, which for a random half is several
		   times as fast. */
		filtering->kept[kept] = event;
		kept += is_selected(filtering, batch, selected, event);
	}
	filtering->kept_count = kept;
}

static void close_up(struct filtering *filtering, struct data_batch *batch)
{
	const uint32_t *kept = filtering->kept;
	uint32_t count = filtering->kept_count;
	for (uint32_t i = 0; i < count; i++) {
		filtering->time[i] = batch->time[kept[i]];
		filtering->thread[i] = batch->thread[kept[i]];
		filtering->cpu[i] = batch->cpu[kept[i]];
		filtering->stack[i] = batch->stack[kept[i]];
	}
	for (unsigned f = 0; f < FIELDS_MAX && batch->field[f]; f++) {
		for (uint32_t i = 0; i < count; i++)
			filtering->field[f][i] = batch->field[f][kept[i]];
		batch->field[f] = filtering->field[f];
	}
	batch->time = filtering->time;
	batch->thread = filtering->thread;
	batch->cpu = filtering->cpu;
	batch->stack = filtering->stack;
	batch->count = count;
}

/* Finds the places of what is kept. */
static void choose(struct filtering *filtering, const struct data_batch *whole)
{
	const struct event_filter *filter = filtering->filter;
	make_room(filtering, whole->count);
	uint32_t group = filtering->group;
	filtering->kept_count = 0;
	if (group && !filter->parts && event_filter_group(filter, filtering->data, whole) != group)
		return;
	filtering->kept_count = whole->count;
	for (uint32_t i = 0; i < whole->count; i++)
		filtering->kept[i] = i;
	if (filtering->split)
		keep_split(filtering);
	else if (filter->expression)
		keep_by_expression(filtering, whole, filter->expression, filtering->columns);
	if (group && filter->parts)
		keep_by_expression(filtering, whole, filter->parts[group - 1], filtering->part_columns[group - 1]);
	if (filter->selection && !selection_is_all(filter->selection))
		keep_selected(filtering, whole);
}

static void pass_on_kept(struct filtering *filtering, const struct data_batch *whole)
{
	choose(filtering, whole);
	struct data_batch batch = *whole;
	batch.group = filtering->filter->parts ? filtering->group : 0;
	if (filtering->kept_count < whole->count)
		close_up(filtering, &batch);
	if (batch.count)
		filtering->visitor(filtering->context, &batch);
}

static void filter_batch(void *context, const struct data_batch *whole)
{
	struct filtering *filtering = context;
	if (filtering->split)
		whole = critical_split_batch(filtering->split, whole, &filtering->split_kept);
	for (unsigned part = 0; filtering->each_part && part < filtering->filter->part_count; part++) {
		filtering->group = part + 1;
		pass_on_kept(filtering, whole);
	}
	if (!filtering->each_part)
		pass_on_kept(filtering, whole);
}

static void mark_batch(void *context, const struct data_batch *batch)
{
	struct filtering *filtering = context;
	choose(filtering, batch);
	memset(filtering->marks, false, batch->count);
	for (uint32_t k = 0; k < filtering->kept_count; k++)
		filtering->marks[filtering->kept[k]] = true;
	filtering->marked(filtering->context, batch, filtering->marks);
}

static void pass_on_batch(void *context, const struct data_batch *batch)
{
	struct filtering *filtering = context;
	filtering->marked(filtering->context, batch, 0);
}

bool event_filter_keeps_all(const struct event_filter *filter)
{
	return !filter ||
	       (!filter->group && !filter->expression && (!filter->selection || selection_is_all(filter->selection)));
}

static struct filtering filtering_of(const struct data *data, enum kind kind, const struct event_filter *filter)
{
	struct filtering filtering = {.data = data, .kind = kind, .filter = filter};
	if (!filter)
		return filtering;
	filtering.group = filter->group;
	filtering.columns = filter->expression ? expression_columns(filter->expression) : 0;
	if (filter->part_count)
		filtering.part_columns = memory_new(filter->part_count, sizeof *filtering.part_columns);
	for (unsigned part = 0; part < filter->part_count; part++)
		filtering.part_columns[part] = expression_columns(filter->parts[part]);
	return filtering;
}

/* For visitors that get only what is kept. */
static struct filtering splitting_of(const struct data *data, enum kind kind, const struct event_filter *filter)
{
	struct filtering filtering = filtering_of(data, kind, filter);
	filtering.split = filter ? critical_split_begin(filter->expression, kind) : 0;
	return filtering;
}

static void let_go(struct filtering *filtering)
{
	critical_split_free(filtering->split);
	free(filtering->columns);
	for (unsigned part = 0; filtering->part_columns && part < filtering->filter->part_count; part++)
		free(filtering->part_columns[part]);
	free(filtering->part_columns);
	free(filtering->kept);
	free(filtering->marks);
	free(filtering->time);
	free(filtering->thread);
	free(filtering->cpu);
	free(filtering->stack);
	for (unsigned f = 0; f < FIELDS_MAX; f++)
		free(filtering->field[f]);
}

/* Whether a visitor that tells groups apart gets the events of each part. */
static bool tells_parts(const struct event_filter *filter)
{
	return filter && filter->parts && !filter->group;
}

static void visit(struct data *data, enum kind kind, const struct event_filter *filter, bool each_part,
	data_visitor *visitor, void *context)
{
	/* The common case, no filter at all, costs nothing. */
	if (event_filter_keeps_all(filter) && !each_part) {
		data_visit(data, kind, visitor, context);
		return;
	}
	struct filtering filtering = splitting_of(data, kind, filter);
	filtering.each_part = each_part;
	filtering.visitor = visitor;
	filtering.context = context;
	data_visit(data, kind, filter_batch, &filtering);
	let_go(&filtering);
}

void event_filter_visit(
	struct data *data, enum kind kind, const struct event_filter *filter, data_visitor *visitor, void *context)
{
	visit(data, kind, filter, false, visitor, context);
}

void event_filter_visit_groups(
	struct data *data, enum kind kind, const struct event_filter *filter, data_visitor *visitor, void *context)
{
	visit(data, kind, filter, tells_parts(filter), visitor, context);
}

void event_filter_visit_groups_apart(struct data *data, enum kind kind, const struct event_filter *filter,
	data_visitor *visitor, void *const *contexts)
{
	if (event_filter_keeps_all(filter) && !tells_parts(filter)) {
		data_visit_apart(data, kind, visitor, contexts);
		return;
	}
	unsigned workers = data_visit_workers(data, kind);
	struct filtering *filterings = memory_new(workers, sizeof *filterings);
	void **own = memory_new(workers, sizeof *own);
	for (unsigned w = 0; w < workers; w++) {
		filterings[w] = splitting_of(data, kind, filter);
		filterings[w].each_part = tells_parts(filter);
		filterings[w].visitor = visitor;
		filterings[w].context = contexts[w];
		own[w] = &filterings[w];
	}
	data_visit_apart(data, kind, filter_batch, own);
	for (unsigned w = 0; w < workers; w++)
		let_go(&filterings[w]);
	free(filterings);
	free(own);
}

typedef void visit_function(struct data *data, enum kind kind, data_visitor *visitor, void *context);

static void mark(struct data *data, enum kind kind, const struct event_filter *filter, visit_function *visit_events,
	marked_visitor *visitor, void *context)
{
	struct filtering filtering = filtering_of(data, kind, filter);
	filtering.marked = visitor;
	filtering.context = context;
	visit_events(data, kind, event_filter_keeps_all(filter) ? pass_on_batch : mark_batch, &filtering);
	let_go(&filtering);
}

void event_filter_mark_in_time(
	struct data *data, enum kind kind, const struct event_filter *filter, marked_visitor *visitor, void *context)
{
	mark(data, kind, filter, data_visit_in_time, visitor, context);
}

void event_filter_mark_in_turn(
	struct data *data, enum kind kind, const struct event_filter *filter, marked_visitor *visitor, void *context)
{
	mark(data, kind, filter, data_visit_in_turn, visitor, context);
}

void event_filter_mark_threads_in_time(
	struct data *data, enum kind kind, const struct event_filter *filter, marked_visitor *visitor, void *context)
{
	mark(data, kind, filter, data_visit_threads_in_time, visitor, context);
}

/* One for each kind. */
struct filterings {
	struct filtering *of_kind[KIND_COUNT];
	data_visitor *visitor;
};

static void mark_batch_of_kind(void *context, const struct data_batch *batch)
{
	const struct filterings *filterings = context;
	filterings->visitor(filterings->of_kind[batch->source->kind], batch);
}

void event_filter_mark_kinds_in_time(struct data *data, uint32_t experiment, const enum kind *kinds,
	unsigned kind_count, const struct event_filter *filter, marked_visitor *visitor, void *context)
{
	struct filterings filterings = {.visitor = event_filter_keeps_all(filter) ? pass_on_batch : mark_batch};
	struct filtering *all = memory_new(kind_count, sizeof *all);
	for (unsigned k = 0; k < kind_count; k++) {
		all[k] = filtering_of(data, kinds[k], filter);
		all[k].marked = visitor;
		all[k].context = context;
		filterings.of_kind[kinds[k]] = &all[k];
	}
	data_visit_kinds_in_time(data, experiment, kinds, kind_count, mark_batch_of_kind, &filterings);
	for (unsigned k = 0; k < kind_count; k++)
		let_go(&all[k]);
	free(all);
}
