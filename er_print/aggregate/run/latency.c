/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The latency-weighted metric: the program's elapsed time, divided among its threads (elapsed_shares.h) and within a thread among
   its events: what it got for running among its clock events, in proportion to CPU time times what a nanosecond of running was
   worth since the event before; what it got for waiting among the intervals off the CPU. */
#include "elapsed_shares.h"
#include "event_filter.h"
#include "metrics.h"
#include "storage.h"

#include <math.h>
#include <stdlib.h>

/* A thread, as its clock events are visited in the order of time. */
struct dividing {
	struct ran at;   /* by the event before */
	double worth;    /* of a nanosecond until then */
	double weight;   /* of all events: CPU time times worth */
	double given;    /* to those before, in ns */
	uint64_t whole;  /* the same, as their values have it */
	bool lead_given; /* the time before the thread began is its first event's */
};

struct latency {
	const struct elapsed_shares *shares;
	struct dividing *threads;
	uint64_t *sums, *events;
	const struct metric_keys *keys;
};

static uint32_t thread_of(const struct latency *latency, const struct data_batch *batch, uint32_t event)
{
	uint32_t experiment = (uint32_t)(batch->experiment - latency->shares->data->experiments);
	return thread_runs_find(&latency->shares->runs, experiment, batch->thread[event]);
}

/* CPU time from before the thread's recording weighs nothing: its elapsed time is not in the program's. */
static double weight_of(struct latency *latency, uint32_t thread, const struct data_batch *batch, uint32_t event)
{
	struct dividing *dividing = &latency->threads[thread];
	struct ran until = elapsed_share_until(latency->shares, thread, batch->time[event]);
	if (until.own > dividing->at.own)
		dividing->worth = (until.share - dividing->at.share) / (until.own - dividing->at.own);
	dividing->at = until;
	if (batch->field[FIELD_INDEX(CLOCK, mode)][event] == STATE_VALUE(CLOCK, mode, start))
		return 0;
	uint64_t time = batch->field[FIELD_INDEX(CLOCK, user)][event] + batch->field[FIELD_INDEX(CLOCK, system)][event];
	return (double)time * dividing->worth;
}

static void weigh_batch(void *context, const struct data_batch *batch)
{
	struct latency *latency = context;
	for (uint32_t i = 0; i < batch->count; i++) {
		uint32_t thread = thread_of(latency, batch, i);
		if (thread != NO_NUMBER)
			latency->threads[thread].weight += weight_of(latency, thread, batch, i);
	}
}

/* Values are whole nanoseconds whose sum is that of the fractions, rounded. */
static uint64_t value_of(struct latency *latency, uint32_t thread, const struct data_batch *batch, uint32_t event)
{
	struct dividing *dividing = &latency->threads[thread];
	double weight = weight_of(latency, thread, batch, event);
	double whole = elapsed_share_until(latency->shares, thread, UINT64_MAX).share;
	dividing->given += dividing->weight > 0 ? whole * weight / dividing->weight : 0;
	uint64_t rounded = (uint64_t)llround(dividing->given), value = rounded - dividing->whole;
	dividing->whole = rounded;
	if (!dividing->lead_given)
		value += latency->shares->threads[thread].lead;
	dividing->lead_given = true;
	return value;
}

static void add_batch(void *context, const struct data_batch *batch, const bool *kept)
{
	struct latency *latency = context;
	const struct metric_keys *keys = latency->keys;
	const uint32_t *key = keys ? keys->of(keys->context, KIND_CLOCK, batch) : batch->stack;
	for (uint32_t i = 0; i < batch->count; i++) {
		uint32_t thread = thread_of(latency, batch, i);
		uint64_t value = thread == NO_NUMBER ? 0 : value_of(latency, thread, batch, i);
		if (kept && !kept[i])
			continue;
		latency->sums[key[i]] += value;
		++*latency->events;
	}
}

static void add_waits(void *context, const struct data_batch *batch)
{
	struct latency *latency = context;
	const struct metric_keys *keys = latency->keys;
	const uint32_t *key = keys ? keys->of(keys->context, KIND_OFFCPU, batch) : batch->stack;
	const uint64_t *duration = batch->field[FIELD_INDEX(OFFCPU, duration)];
	for (uint32_t i = 0; i < batch->count; i++) {
		uint32_t thread = thread_of(latency, batch, i);
		uint64_t time = batch->time[i], from = time > duration[i] ? time - duration[i] : 0;
		if (thread != NO_NUMBER)
			latency->sums[key[i]] += elapsed_share_idle(latency->shares, thread, from, time);
	}
	*latency->events += batch->count;
}

/* Row of metrics.def. */
metric_pass latency_time;
void latency_time(struct data *data, const struct event_filter *filter, const struct metric_keys *keys, uint64_t **sums,
	uint64_t *events)
{
	struct elapsed_shares shares;
	elapsed_shares_read(&shares, data);
	struct latency latency = {.shares = &shares, .sums = sums[0], .events = events, .keys = keys};
	latency.threads = memory_new(shares.runs.count, sizeof *latency.threads);
	for (uint32_t t = 0; t < shares.runs.count; t++)
		latency.threads[t].worth = 1;
	data_visit_in_time(data, KIND_CLOCK, weigh_batch, &latency);
	for (uint32_t t = 0; t < shares.runs.count; t++)
		latency.threads[t] = (struct dividing){.worth = 1, .weight = latency.threads[t].weight};
	event_filter_mark_in_time(data, KIND_CLOCK, filter, add_batch, &latency);
	event_filter_visit(data, KIND_OFFCPU, filter, add_waits, &latency);
	free(latency.threads);
	elapsed_shares_free(&shares);
}
