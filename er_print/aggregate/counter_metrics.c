/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the metrics of counters. */
#include "counter_metrics.h"
#include "storage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct ratio_row {
	const char *name, *numerator, *denominator, *title, *initial;
} ratios[] = {
#define RATIO(name, numerator, denominator, title, initial) {name, numerator, denominator, title, initial},
#include "counter_ratios.def"
};

int metric_counter_in(const struct experiment *experiment, const char *name)
{
	for (unsigned i = 0; i < experiment->overflow_counter_count; i++)
		if (!strcmp(experiment->overflow_counters[i].name, name))
			return (int)i;
	return -1;
}

static uint64_t add_counter(uint64_t *restrict sums, const struct data_batch *batch, const struct metric *row)
{
	int wanted = metric_counter_in(batch->experiment->file, row->counter);
	const uint64_t *counter = batch->field[FIELD_INDEX(OVERFLOW, counter)];
	const uint64_t *interval = batch->field[FIELD_INDEX(OVERFLOW, interval)];
	uint64_t counted = 0;
	/* One imported file may have fractions and another not. */
	uint64_t factor = row->unit == METRIC_DECIMAL && wanted >= 0 &&
					  batch->experiment->file->overflow_counters[wanted].units != UNITS_MILLIONTHS
				  ? 1000000
				  : 1;
	for (uint32_t i = 0; wanted >= 0 && i < batch->count; i++) {
		bool is_wanted = counter[i] == (uint64_t)wanted;
		sums[batch->stack[i]] += is_wanted ? interval[i] * factor : 0;
		counted += is_wanted;
	}
	return counted;
}

/* The place of a counter among the values of readings. */
static unsigned value_of(const struct experiment *experiment, int counter)
{
	unsigned value = 0;
	for (int i = 0; i < counter; i++)
		value += experiment->overflow_counters[i].delivery == DELIVERY_READ;
	return value;
}

/* A reading is of the stack at which it is read, as a clock tick's time is. */
static uint64_t add_reading(uint64_t *restrict sums, const struct data_batch *batch, const struct metric *row)
{
	int counter = metric_counter_in(batch->experiment->file, row->counter);
	unsigned value = counter < 0 ? READINGS_MAX : value_of(batch->experiment->file, counter);
	if (value >= READINGS_MAX)
		return 0;
	const uint64_t *known = batch->field[FIELD_INDEX(READING, known)];
	const uint64_t *counts = batch->field[FIELD_INDEX(READING, value0) + value];
	uint64_t counted = 0;
	for (uint32_t i = 0; i < batch->count; i++) {
		bool is_known = known[i] >> value & 1;
		sums[batch->stack[i]] += is_known ? counts[i] : 0;
		counted += is_known;
	}
	return counted;
}

uint64_t counter_rate(const struct data *data, const char *name, const uint32_t *groups, uint32_t group)
{
	/* Nanoseconds are cycles divided by the rate, so a sum over experiments of as many cycles each has the harmonic mean. */
	double periods = 0;
	unsigned count = 0;
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct experiment *file = groups && group && groups[e] != group ? 0 : data->experiments[e].file;
		int i = file ? metric_counter_in(file, name) : -1;
		if (i < 0)
			continue;
		if (!file->overflow_counters[i].rate)
			return 0;
		periods += 1 / (double)file->overflow_counters[i].rate;
		count++;
	}
	return count ? (uint64_t)((double)count / periods + 0.5) : 0;
}

static enum metric_unit unit_of(enum counter_units units, uint64_t rate)
{
	if (units == UNITS_NANOSECONDS)
		return METRIC_NANOSECONDS;
	if (units == UNITS_MILLIONTHS)
		return METRIC_DECIMAL;
	if (units == UNITS_BYTES)
		return METRIC_BYTES;
	return (units == UNITS_CPU_CYCLES || units == UNITS_FIXED_CYCLES) && rate ? METRIC_CYCLES : METRIC_COUNT;
}

void metric_rows_add(struct metric_rows *rows, const struct metric *row)
{
	memory_reserve(rows->rows, rows->table.count, rows->capacity);
	rows->rows[rows->table.count++] = *row;
	rows->table.rows = rows->rows;
}

static enum kind kind_of(const struct overflow_counter *counter)
{
	return counter->delivery == DELIVERY_READ ? KIND_READING : KIND_OVERFLOW;
}

static int find_counter(const struct metric_rows *rows, const struct overflow_counter *counter)
{
	enum kind kind = kind_of(counter);
	for (unsigned m = 0; m < rows->table.count; m++)
		if (rows->rows[m].counter && !strcmp(rows->rows[m].counter, counter->name) &&
			rows->rows[m].kind == kind)
			return (int)m;
	return -1;
}

/* An imported counter may have the name of a metric of ours. The caller frees the name. */
static char *own_name(const struct metric_rows *rows, const char *counter)
{
	char *name;
	if (metric_find(&rows->table, counter) < 0 || asprintf(&name, "%s-counter", counter) < 0)
		name = strdup(counter);
	return name;
}

static void add_metric(struct metric_rows *rows, const struct data *data, const struct overflow_counter *counter)
{
	bool read = counter->delivery == DELIVERY_READ;
	struct metric row = {.kind = kind_of(counter),
		.initial = "ei.%",
		.numerator = -1,
		.denominator = -1,
		.add = read ? add_reading : add_counter};
	row.rate = counter_rate(data, counter->name, 0, 0);
	row.unit = unit_of((enum counter_units)counter->units, row.rate);
	int known = find_counter(rows, counter);
	if (known >= 0) { /* another experiment may change the mean */
		if (rows->rows[known].unit != METRIC_DECIMAL)
			rows->rows[known].unit = row.unit;
		rows->rows[known].rate = row.rate;
		return;
	}
	row.counter = strdup(counter->name);
	row.name = own_name(rows, counter->name);
	row.title = strdup(*counter->title ? counter->title : counter->name);
	metric_rows_add(rows, &row);
}

static void add_ratios(struct metric_rows *rows)
{
	for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
		int numerator = metric_find(&rows->table, ratios[i].numerator);
		int denominator = metric_find(&rows->table, ratios[i].denominator);
		if (numerator >= 0 && denominator >= 0 && metric_find(&rows->table, ratios[i].name) < 0)
			metric_rows_add(rows, &(struct metric){.name = ratios[i].name,
						      .title = ratios[i].title,
						      .unit = METRIC_RATIO,
						      .kind = KIND_COUNT,
						      .initial = ratios[i].initial,
						      .numerator = numerator,
						      .denominator = denominator});
	}
}

void metric_rows_extend(struct metric_rows *rows, const struct data *data)
{
	const struct metric_table *builtin = metrics_builtin();
	for (unsigned m = rows->table.count; m < builtin->count; m++)
		metric_rows_add(rows, &builtin->rows[m]);
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct experiment *file = data->experiments[e].file;
		for (unsigned i = 0; file && i < file->overflow_counter_count; i++)
			add_metric(rows, data, &file->overflow_counters[i]);
	}
	add_ratios(rows);
}

void metric_rows_free(struct metric_rows *rows)
{
	for (unsigned m = 0; m < rows->table.count; m++)
		if (rows->rows[m].counter || rows->rows[m].balance.statistic) {
			free((char *)rows->rows[m].name);
			free((char *)rows->rows[m].counter);
			free((char *)rows->rows[m].title);
		}
	free(rows->rows);
	*rows = (struct metric_rows){.rows = 0};
}
