/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeats metrics for each group, and tells how large their samples are. */
#include "group_metrics.h"
#include "counter_metrics.h"
#include "event_filter.h"
#include "storage.h"

#include <stdlib.h>

static struct metric row_of_group(
	const struct metric *row, const struct data *data, const uint32_t *group_of, unsigned group, unsigned own_count)
{
	struct metric own = *row;
	own.group = group;
	own.balance.base += (group - 1) * own_count;
	if (row->unit == METRIC_RATIO) {
		own.numerator += (int)((group - 1) * own_count);
		own.denominator += (int)((group - 1) * own_count);
	}
	uint64_t rate =
		row->counter && row->unit == METRIC_CYCLES ? counter_rate(data, row->counter, group_of, group) : 0;
	own.rate = rate ? rate : row->rate;
	return own;
}

struct group_metrics group_metrics_create(
	const struct metric_table *table, const struct data *data, const uint32_t *group_of, unsigned groups)
{
	struct group_metrics metrics = {.own_count = table->count, .groups = groups};
	metrics.rows = memory_new((size_t)table->count * groups, sizeof *metrics.rows);
	for (unsigned g = 1; g <= groups; g++)
		for (unsigned m = 0; m < table->count; m++)
			metrics.rows[metrics.table.count++] =
				row_of_group(&table->rows[m], data, group_of, g, table->count);
	metrics.table.rows = metrics.rows;
	return metrics;
}

void group_metrics_free(struct group_metrics *metrics)
{
	free(metrics->rows);
	*metrics = (struct group_metrics){.rows = 0};
}

struct sizes {
	const struct group_metrics *metrics;
	const struct data *data;
	const struct event_filter *filter;
	enum kind kind;
	double *sum, *squares; /* by row */
};

static void add_sample(struct sizes *sizes, unsigned row, uint64_t size)
{
	sizes->sum[row] += (double)size;
	sizes->squares[row] += (double)size * (double)size;
}

/* Time that no tick met was measured and not sampled. A tick of which a part is user time is one sample of either. */
static void add_ticks(struct sizes *sizes, unsigned row, const struct data_batch *batch)
{
	const uint64_t *user = batch->field[FIELD_INDEX(CLOCK, user)];
	const uint64_t *system = batch->field[FIELD_INDEX(CLOCK, system)];
	const uint64_t *mode = batch->field[FIELD_INDEX(CLOCK, mode)];
	for (uint32_t i = 0; i < batch->count; i++)
		if (data_is_tick(mode[i]))
			add_sample(sizes, row, user[i] + system[i]);
}

static void add_overflows(struct sizes *sizes, unsigned row, const struct data_batch *batch)
{
	const struct metric *metric = &sizes->metrics->rows[row];
	int wanted = metric_counter_in(batch->experiment->file, metric->counter);
	const uint64_t *counter = batch->field[FIELD_INDEX(OVERFLOW, counter)];
	const uint64_t *interval = batch->field[FIELD_INDEX(OVERFLOW, interval)];
	for (uint32_t i = 0; wanted >= 0 && i < batch->count; i++)
		if (counter[i] == (uint64_t)wanted)
			add_sample(sizes, row, interval[i]);
}

/* A line of folded stacks has many samples: each counts one. */
static void add_folded(struct sizes *sizes, unsigned row)
{
	sizes->sum[row] = 1;
	sizes->squares[row] = sizes->metrics->rows[row].unit == METRIC_DECIMAL ? 1000000 : 1;
}

static void add_batch(void *context, const struct data_batch *batch)
{
	struct sizes *sizes = context;
	uint32_t group = event_filter_group(sizes->filter, sizes->data, batch);
	for (unsigned m = 0; m < sizes->metrics->table.count; m++) {
		const struct metric *row = &sizes->metrics->rows[m];
		if (row->kind != sizes->kind || row->group != group || metric_is_derived(row))
			continue;
		const struct imported_file *imported = &batch->experiment->imported;
		if (imported->what && imported->samples == SAMPLES_UNKNOWN)
			continue;
		if (imported->what && imported->samples == SAMPLES_COUNTED)
			add_folded(sizes, m);
		else if (row->kind == KIND_CLOCK)
			add_ticks(sizes, m, batch);
		else
			add_overflows(sizes, m, batch);
	}
}

double *group_metrics_sample_size(
	const struct group_metrics *metrics, struct data *data, const struct event_filter *filter)
{
	static const enum kind sampled[] = {KIND_CLOCK, KIND_OVERFLOW};
	struct sizes sizes = {.metrics = metrics, .data = data, .filter = filter};
	sizes.sum = memory_new(metrics->table.count, sizeof *sizes.sum);
	sizes.squares = memory_new(metrics->table.count, sizeof *sizes.squares);
	for (unsigned k = 0; k < sizeof sampled / sizeof *sampled; k++) {
		sizes.kind = sampled[k];
		event_filter_visit_groups(data, sizes.kind, filter, add_batch, &sizes);
	}
	for (unsigned m = 0; m < metrics->table.count; m++)
		sizes.squares[m] = sizes.sum[m] > 0 ? sizes.squares[m] / sizes.sum[m] : 0;
	free(sizes.sum);
	return sizes.squares;
}
