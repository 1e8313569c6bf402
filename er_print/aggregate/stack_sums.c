/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums the events of each kind for all metrics of that kind in one pass. */
#include "stack_sums.h"
#include "counter_metrics.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

/* The file of thread states is there, and empty, where no thread has them. */
static bool has_data(const struct experiment *file, const struct event_source *source)
{
	return source->kind != KIND_OFFCPU || source->block_count || experiment_tally(file, TALLY_threads_switches) ||
	       experiment_tally(file, TALLY_threads_without_switches);
}

bool experiment_has_kind(const struct experiment *file, enum kind kind)
{
	for (unsigned s = 0; file && s < file->source_count; s++)
		if (file->sources[s].kind == (int)kind && has_data(file, &file->sources[s]))
			return true;
	return false;
}

static bool kind_recorded(const struct data *data, enum kind kind)
{
	for (uint32_t i = 0; i < data->experiment_count; i++)
		if (experiment_has_kind(data->experiments[i].file, kind))
			return true;
	return false;
}

static bool counter_recorded(const struct data *data, const char *name)
{
	for (uint32_t i = 0; i < data->experiment_count; i++)
		if (data->experiments[i].file && metric_counter_in(data->experiments[i].file, name) >= 0)
			return true;
	return false;
}

static bool tally_recorded(const struct data *data, enum tally tally)
{
	if (tally == TALLY_COUNT)
		return true;
	for (uint32_t i = 0; i < data->experiment_count; i++)
		if (data->experiments[i].file && experiment_tally(data->experiments[i].file, tally))
			return true;
	return false;
}

bool *metrics_recorded(const struct data *data, const struct metric_table *metrics)
{
	bool *recorded = memory_new(metrics->count, sizeof *recorded);
	for (unsigned m = 0; m < metrics->count; m++)
		recorded[m] = metrics->rows[m].unit != METRIC_RATIO && kind_recorded(data, metrics->rows[m].kind) &&
			      (!metrics->rows[m].counter || counter_recorded(data, metrics->rows[m].counter)) &&
			      tally_recorded(data, metric_needs(&metrics->rows[m]));
	for (unsigned m = 0; m < metrics->count; m++) {
		const struct metric *row = &metrics->rows[m];
		if (row->unit == METRIC_RATIO)
			recorded[m] = recorded[row->numerator] && recorded[row->denominator];
		if (row->balance.statistic)
			recorded[m] = recorded[row->balance.base];
	}
	return recorded;
}

enum { ROWS_MAX = 64 };
/* Bytes of sums that threads may have beside the one table: more would cost more than they save. */
#define APART_MAX (256ull << 20)

struct pass {
	const struct metric_table *metrics;
	const struct data *data;
	const struct event_filter *filter;
	unsigned rows[ROWS_MAX];   /* of the kind that is being read */
	uint64_t *of[ROWS_MAX];    /* their sums by stack */
	uint64_t events[ROWS_MAX]; /* how many events counted */
	unsigned count;
};

static void add_batch(void *context, const struct data_batch *batch)
{
	struct pass *pass = context;
	uint32_t group = event_filter_group(pass->filter, pass->data, batch);
	for (unsigned i = 0; i < pass->count; i++) {
		const struct metric *row = &pass->metrics->rows[pass->rows[i]];
		if (!row->group || row->group == group)
			pass->events[i] += row->add(pass->of[i], batch, row);
	}
}

static void add_up(struct pass *whole, const struct pass *part, uint32_t stacks)
{
	for (unsigned i = 0; i < whole->count; i++) {
		whole->events[i] += part->events[i];
		for (uint32_t s = 0; s < stacks; s++)
			whole->of[i][s] += part->of[i][s];
	}
}

/* Each thread has sums of its own, which are whole numbers: they add up to the same in any order. */
static void run_apart(struct data *data, struct pass *whole, enum kind kind, uint32_t stacks, unsigned workers)
{
	struct pass *parts = memory_new(workers, sizeof *parts);
	void **contexts = memory_new(workers, sizeof *contexts);
	for (unsigned w = 0; w < workers; w++) {
		contexts[w] = &parts[w];
		parts[w] = *whole;
		for (unsigned i = 0; w && i < whole->count; i++)
			parts[w].of[i] = memory_new(stacks, sizeof **parts[w].of);
	}
	event_filter_visit_groups_apart(data, kind, whole->filter, add_batch, contexts);
	memcpy(whole->events, parts[0].events, sizeof whole->events);
	for (unsigned w = 1; w < workers; w++) {
		add_up(whole, &parts[w], stacks);
		for (unsigned i = 0; i < whole->count; i++)
			free(parts[w].of[i]);
	}
	free(parts);
	free(contexts);
}

/* Reads the kind of row `first` for every row of that kind from `first` on that adds event by event. */
static void sum_kind(struct data *data, struct stack_sums *sums, const struct event_filter *filter, unsigned first)
{
	const struct metric *rows = sums->metrics->rows;
	struct pass pass = {.metrics = sums->metrics, .data = data, .filter = filter};
	enum kind kind = rows[first].kind;
	/* Reading is dearer than adding, so all metrics of a kind share a pass; what finds no room here gets its own later. */
	for (unsigned m = first; m < sums->metrics->count && pass.count < ROWS_MAX; m++)
		if (rows[m].add && rows[m].kind == kind && !sums->of[m]) {
			sums->of[m] = pass.of[pass.count] = memory_new(sums->stack_count, sizeof **sums->of);
			pass.rows[pass.count++] = m;
		}
	unsigned workers = data_visit_workers(data, kind);
	if (workers > 1 && (uint64_t)pass.count * sums->stack_count * sizeof **sums->of * workers <= APART_MAX)
		run_apart(data, &pass, kind, sums->stack_count, workers);
	else
		event_filter_visit_groups(data, kind, filter, add_batch, &pass);
	for (unsigned i = 0; i < pass.count; i++)
		sums->events[pass.rows[i]] = pass.events[i];
}

/* Computes all rows that have the pass of row `one`. */
static void sum_pass(struct data *data, struct stack_sums *sums, const struct event_filter *filter, unsigned one)
{
	const struct metric *rows = sums->metrics->rows;
	uint64_t *of[64], events = 0;
	unsigned metrics[64], count = 0;
	struct event_filter of_group = event_filter_of_group(filter, rows[one].group);
	for (unsigned m = 0; m < sums->metrics->count && count < 64; m++)
		if (metric_same_pass(&rows[m], &rows[one])) {
			sums->of[m] = of[count] = memory_new(sums->stack_count, sizeof **sums->of);
			metrics[count++] = m;
		}
	rows[one].pass(data, &of_group, 0, of, &events);
	for (unsigned i = 0; i < count; i++)
		sums->events[metrics[i]] = events;
}

static void sum_metric(struct data *data, struct stack_sums *sums, const struct event_filter *filter, unsigned metric)
{
	const struct metric *row = &sums->metrics->rows[metric];
	if (metric_is_derived(row) || row->balance.member || !sums->recorded[metric])
		return;
	if (!sums->of[metric])
		(row->pass ? sum_pass : sum_kind)(data, sums, filter, metric);
}

bool metric_is_on_demand(const struct metric *row)
{
	bool of_balance = row->balance.statistic || row->balance.member;
	return row->kind == KIND_OFFCPU || (row->pass && !*row->initial) || of_balance;
}

static void add_own_stacks(struct data *data, const struct metric_table *metrics, const bool *wanted)
{
	for (unsigned m = 0; m < metrics->count; m++) {
		metric_stacks *stacks = metric_own_stacks(&metrics->rows[m]);
		if (stacks && (!wanted || wanted[m]))
			stacks(data);
	}
}

struct stack_sums *stack_sums_compute(
	struct data *data, const struct metric_table *metrics, const struct event_filter *filter, const bool *wanted)
{
	add_own_stacks(data, metrics, wanted);
	struct stack_sums *sums = memory_new(1, sizeof *sums);
	*sums = (struct stack_sums){
		.metrics = metrics,
		.stack_count = data->stack_count,
		.of = memory_new(metrics->count, sizeof *sums->of),
		.total = memory_new(metrics->count, sizeof *sums->total),
		.recorded = metrics_recorded(data, metrics),
		.events = memory_new(metrics->count, sizeof *sums->events),
	};
	for (unsigned m = 0; m < metrics->count; m++)
		if (!wanted || wanted[m])
			sum_metric(data, sums, filter, m);
	for (unsigned m = 0; m < metrics->count; m++)
		for (uint32_t stack = 0; sums->of[m] && stack < sums->stack_count; stack++)
			sums->total[m] += sums->of[m][stack];
	return sums;
}

void stack_sums_free(struct stack_sums *sums)
{
	if (!sums)
		return;
	for (unsigned m = 0; m < sums->metrics->count; m++)
		free(sums->of[m]);
	free(sums->of);
	free(sums->total);
	free(sums->recorded);
	free(sums->events);
	free(sums);
}
