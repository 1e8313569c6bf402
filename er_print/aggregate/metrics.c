/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expands metrics.def: one summing loop per METRIC row, so that the compiler sees each expression. */
#include "metrics.h"
#include "heap_replay.h"
#include "io_types.h"
#include "wait_states.h"

#include <string.h>
#include <strings.h>

#define VALUE(row, column) batch->field[FIELD_INDEX(row, column)][i]
#define METRIC(name, kind, expression, unit, title, initial)                                                           \
	static uint64_t add_##name(uint64_t *restrict sums, const struct data_batch *batch, const struct metric *row)  \
	{                                                                                                              \
		(void)row;                                                                                             \
		for (uint32_t i = 0; i < batch->count; i++)                                                            \
			sums[batch->stack[i]] += expression;                                                           \
		return batch->count;                                                                                   \
	}
#define PASS(name, kind, function, unit, title, initial) metric_pass function;
#define STACKS(name, function)                           metric_stacks function;
#include "metrics.def"
#undef VALUE

enum {
#define METRIC(name, kind, expression, unit, title, initial) ROW_##name,
#define PASS(name, kind, function, unit, title, initial)     ROW_##name,
#define RATIO(name, numerator, denominator, title, initial)  ROW_##name,
#include "metrics.def"
	ROW_COUNT
};

/* clang-format off */
static const struct metric rows[] = {
#define METRIC(name, kind, expression, unit, title, initial) \
	{#name, title, METRIC_##unit, KIND_##kind, initial, -1, -1, add_##name, 0, 0, 0, 0, {0}},
#define PASS(name, kind, function, unit, title, initial) \
	{#name, title, METRIC_##unit, KIND_##kind, initial, -1, -1, 0, function, 0, 0, 0, {0}},
#define RATIO(name, numerator, denominator, title, initial) \
	{#name, title, METRIC_RATIO, KIND_COUNT, initial, ROW_##numerator, ROW_##denominator, 0, 0, 0, 0, 0, {0}},
#include "metrics.def"
};
/* clang-format on */

const struct metric_table *metrics_builtin(void)
{
	static const struct metric_table table = {rows, ROW_COUNT};
	return &table;
}

uint64_t metric_nanoseconds(const struct metric *row, uint64_t cycles)
{
	return row->rate ? (uint64_t)((double)cycles * 1e6 / (double)row->rate + 0.5) : 0;
}

const char *metric_among_others(const struct metric *row)
{
	static const struct {
		const char *name, *initial;
	} mains[] = {
#define MAIN(name, initial) {#name, initial},
#include "metrics.def"
	};
	if (row->counter)
		return "ei.";
	for (unsigned i = 0; i < sizeof mains / sizeof *mains; i++)
		if (!strcmp(mains[i].name, row->name))
			return mains[i].initial;
	return 0;
}

metric_stacks *metric_own_stacks(const struct metric *row)
{
	static const struct {
		const char *name;
		metric_stacks *stacks;
	} all[] = {
#define STACKS(name, function) {#name, function},
#include "metrics.def"
	};
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
		if (!strcmp(all[i].name, row->name))
			return all[i].stacks;
	return 0;
}

enum tally metric_needs(const struct metric *row)
{
	static const struct {
		const char *name;
		enum tally tally;
	} needs[] = {
#define NEEDS(name, tally) {#name, TALLY_##tally},
#include "metrics.def"
	};
	for (unsigned i = 0; i < sizeof needs / sizeof *needs; i++)
		if (!strcmp(needs[i].name, row->name))
			return needs[i].tally;
	return TALLY_COUNT;
}

static bool is_one_of(const struct metric *row, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], row->name))
			return true;
	return false;
}

bool metric_is_rare(const struct metric *row)
{
	static const char *const names[] = {
#define RARE(name) #name,
#include "metrics.def"
	};
	return is_one_of(row, names, sizeof names / sizeof *names);
}

bool metric_is_elapsed(const struct metric *row)
{
	static const char *const names[] = {
#define ELAPSED(name) #name,
#include "metrics.def"
	};
	return is_one_of(row, names, sizeof names / sizeof *names);
}

static const char *name_of_alias(const char *name)
{
	static const struct {
		const char *other, *name;
	} aliases[] = {
#define ALIAS(other, name) {#other, #name},
#include "metrics.def"
	};
	for (unsigned i = 0; i < sizeof aliases / sizeof *aliases; i++)
		if (!strcasecmp(aliases[i].other, name))
			return aliases[i].name;
	return name;
}

int metric_find(const struct metric_table *table, const char *name)
{
	name = name_of_alias(name);
	for (unsigned i = 0; i < table->count; i++)
		if (!strcasecmp(table->rows[i].name, name))
			return (int)i;
	return -1;
}
