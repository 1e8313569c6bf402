/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics that add the states of threads up: the time of all threads, and that of the first thread of each process. The parts
   are CPU time and the intervals off the CPU, with those that nothing explains: together a thread's elapsed time. */
#include "event_filter.h"
#include "metrics.h"

struct totals {
	uint64_t *all, *first, *events; /* sums by key */
	enum kind kind;
	const struct metric_keys *keys;
};

enum { FIRST_THREAD = 1 };

static void add_batch(void *context, const struct data_batch *batch)
{
	const struct totals *totals = context;
	bool clock = totals->kind == KIND_CLOCK;
	const uint64_t *time = batch->field[clock ? FIELD_INDEX(CLOCK, user) : FIELD_INDEX(OFFCPU, duration)];
	const uint64_t *system = clock ? batch->field[FIELD_INDEX(CLOCK, system)] : 0;
	const uint32_t *key =
		totals->keys ? totals->keys->of(totals->keys->context, totals->kind, batch) : batch->stack;
	for (uint32_t i = 0; i < batch->count; i++) {
		uint64_t value = time[i] + (system ? system[i] : 0);
		totals->all[key[i]] += value;
		if (batch->thread[i] == FIRST_THREAD)
			totals->first[key[i]] += value;
	}
	*totals->events += batch->count;
}

/* Rows of metrics.def: all threads, the first one. */
metric_pass thread_total;
void thread_total(struct data *data, const struct event_filter *filter, const struct metric_keys *keys, uint64_t **sums,
	uint64_t *events)
{
	struct totals totals = {.all = sums[0], .first = sums[1], .events = events, .keys = keys};
	static const enum kind kinds[] = {KIND_CLOCK, KIND_OFFCPU};
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		totals.kind = kinds[i];
		event_filter_visit(data, totals.kind, filter, add_batch, &totals);
	}
}
