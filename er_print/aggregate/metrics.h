/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of metrics as C: what is summed, and how it is called. A table is a value, so that metrics that
   are known only from the data (hardware counters) can be rows of a longer one. */
#ifndef METRICS_H
#define METRICS_H

#include "data.h"
#include <stdbool.h>
#include <stdint.h>

enum metric_unit {
	METRIC_COUNT,
	METRIC_NANOSECONDS,
	METRIC_BYTES,
	METRIC_RATIO,
	METRIC_DECIMAL, /* millionths */
	METRIC_CYCLES,  /* counted in cycles, of a known rate: shown as a time, or as the count */
};

/* Adds a batch of events of the metric's kind to the sums by stack. Returns how many of them counted. */
struct metric;
typedef uint64_t metric_add(uint64_t *restrict sums, const struct data_batch *batch, const struct metric *row);
/* By what a pass adds up instead of by stack: of() gives the number that each event of a batch of that kind is summed under;
   its memory is good until it is called again. */
struct metric_keys {
	void *context;
	const uint32_t *(*of)(void *context, enum kind kind, const struct data_batch *batch);
};
/* Does its own pass over any events of `data`, by event_filter_visit where the filter is to hold: adds to the sums by stack (by
   key, if `keys` is not 0) of each row that has this function, in the table's order, and to *events the number of events
   counted. */
struct event_filter;
typedef void metric_pass(struct data *data, const struct event_filter *filter, const struct metric_keys *keys,
	uint64_t **sums, uint64_t *events);

/* Adds stacks to the data: those of its own that a pass sums under, in place of the events'. */
typedef void metric_stacks(struct data *data);

/* The kinds of members of a balance, and the statistics of their values: see balance.def. */
enum balance_over {
#define OVER(word, title, one) BALANCE_##word,
#include "balance.def"
	BALANCE_OVER_COUNT
};
enum balance_statistic {
	BALANCE_NONE,
#define STATISTIC(word, title) BALANCE_##word,
#include "balance.def"
	BALANCE_STATISTIC_COUNT
};
/* Whether it tells a member and not a value. */
static inline bool balance_is_place(enum balance_statistic statistic)
{
	switch (statistic) {
#define PLACE(word, title) case BALANCE_##word:
#include "balance.def"
		return true;
	default:
		return false;
	}
}
struct metric_balance {
	enum balance_statistic statistic;
	enum balance_over over;
	unsigned base;         /* the row whose values they are */
	unsigned first, count; /* in a table of sums: the rows of the members */
	uint32_t member;       /* of such a row: the member, from 1; else 0 */
};

struct metric {
	const char *name;  /* keyword: "totalcpu" */
	const char *title; /* "Total CPU Time" */
	enum metric_unit unit;
	enum kind kind;
	const char *initial;        /* as in metrics.def */
	int numerator, denominator; /* of a ratio: rows of the same table; else -1 */
	metric_add *add;            /* one of the two, or none for a ratio */
	metric_pass *pass;
	const char *counter;           /* of a counter's metric: its name in the experiments; else 0 */
	uint64_t rate;                 /* METRIC_CYCLES: kHz */
	uint32_t group;                /* of experiments that it sums; 0: all (group_metrics.h) */
	struct metric_balance balance; /* zeroes: none of a balance */
};
struct metric_table {
	const struct metric *rows;
	unsigned count;
};
/* Whether it has no sums of its own, but is computed of those of others. */
static inline bool metric_is_derived(const struct metric *row)
{
	return row->unit == METRIC_RATIO || row->balance.statistic;
}
/* Whether one call of a pass computes both. */
static inline bool metric_same_pass(const struct metric *a, const struct metric *b)
{
	return a->pass == b->pass && a->group == b->group;
}
/* Cycles of a METRIC_CYCLES as nanoseconds. */
uint64_t metric_nanoseconds(const struct metric *row, uint64_t cycles);
/* metrics.def's; static storage. */
const struct metric_table *metrics_builtin(void);
/* The flavours of a metric in a fresh session where several kinds of data, or counters, were recorded; 0: not shown. */
const char *metric_among_others(const struct metric *row);
/* The tally without which there is no data for it; TALLY_COUNT: none. */
enum tally metric_needs(const struct metric *row);
/* Lists that nobody chose show it only where it is not 0. */
bool metric_is_rare(const struct metric *row);
/* Its events are intervals of threads and clock events, which have the CPU time between them. */
bool metric_is_elapsed(const struct metric *row);
/* A function to be called before the pass of the metric; 0: none. */
metric_stacks *metric_own_stacks(const struct metric *row);
/* The row of a name, -1 if there is none; case does not matter. */
int metric_find(const struct metric_table *table, const char *name);

#endif
