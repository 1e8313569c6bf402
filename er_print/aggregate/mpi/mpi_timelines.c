/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts, and a pass over the samples. */
#include "mpi_timelines.h"
#include "event_times.h"
#include "mpi_ranks.h"
#include "search.h"
#include "storage.h"
#include "wait_states.h"

#include <stdlib.h>

struct pass {
	struct mpi_timelines *timelines;
	const struct data *data;
	const struct metric_keys *keys;
};

static uint64_t weight_of(enum kind kind, const struct data_batch *batch, uint32_t i)
{
	if (kind == KIND_CLOCK)
		return batch->field[FIELD_INDEX(CLOCK, user)][i] + batch->field[FIELD_INDEX(CLOCK, system)][i];
	return state_is_off_cpu(batch->field[FIELD_INDEX(OFFCPU, state)][i])
		       ? batch->field[FIELD_INDEX(OFFCPU, duration)][i]
		       : 0;
}

static void add_samples(const struct pass *pass, enum kind kind, const struct data_batch *batch, const bool *kept)
{
	struct mpi_timelines *timelines = pass->timelines;
	if (!mpi_event(batch->experiment->file, "mpi"))
		return;
	const uint32_t *key = pass->keys ? pass->keys->of(pass->keys->context, kind, batch) : batch->stack;
	uint32_t experiment = (uint32_t)(batch->experiment - pass->data->experiments);
	for (uint32_t i = 0; i < batch->count; i++) {
		uint64_t weight = weight_of(kind, batch, i);
		if (!weight)
			continue;
		timelines->samples =
			memory_room(timelines->samples, timelines->sample_count, sizeof *timelines->samples);
		timelines->samples[timelines->sample_count++] =
			(struct mpi_sample){number_pair(experiment, batch->thread[i]),
				event_middle((int)kind, batch, i), weight, batch->stack[i], key[i], !kept || kept[i]};
	}
}

static void add_clock(void *context, const struct data_batch *batch, const bool *kept)
{
	add_samples(context, KIND_CLOCK, batch, kept);
}

static void add_off_cpu(void *context, const struct data_batch *batch, const bool *kept)
{
	add_samples(context, KIND_OFFCPU, batch, kept);
}

static int by_begin(const void *left, const void *right, void *context)
{
	const uint32_t *first = left, *second = right;
	const struct mpi_trace_call *calls = context, *a = &calls[*first], *b = &calls[*second];
	return COMPARE(mpi_thread_of(a), mpi_thread_of(b)) ?: COMPARE(a->begin, b->begin) ?: COMPARE(*first, *second);
}

static int by_end(const void *left, const void *right, void *context)
{
	const uint32_t *first = left, *second = right;
	const struct mpi_timelines *timelines = context;
	const struct mpi_wait *a = &timelines->waits[*first], *b = &timelines->waits[*second];
	int order = COMPARE(mpi_wait_thread(a), mpi_wait_thread(b));
	return order ?: COMPARE(a->end, b->end) ?: COMPARE(*first, *second);
}

static int by_time(const void *left, const void *right)
{
	const struct mpi_sample *a = left, *b = right;
	int order = COMPARE(a->thread, b->thread) ?: COMPARE(a->time, b->time);
	return order ?: COMPARE(a->stack, b->stack) ?: COMPARE(a->weight, b->weight);
}

static uint32_t *numbers(uint32_t count)
{
	uint32_t *all = memory_new(count, sizeof *all);
	for (uint32_t i = 0; i < count; i++)
		all[i] = i;
	return all;
}

void mpi_timelines_read(struct mpi_timelines *timelines, struct data *data, const struct event_filter *filter,
	const struct metric_keys *keys, const struct mpi_trace *trace, const struct mpi_wait *waits,
	uint32_t wait_count)
{
	*timelines = (struct mpi_timelines){.trace = trace,
		.waits = waits,
		.wait_count = wait_count,
		.calls = numbers(trace->call_count),
		.ends = numbers(wait_count)};
	struct pass pass = {timelines, data, keys};
	if (trace->call_count)
		qsort_r(timelines->calls, trace->call_count, sizeof *timelines->calls, by_begin, trace->calls);
	if (wait_count)
		qsort_r(timelines->ends, wait_count, sizeof *timelines->ends, by_end, timelines);
	event_filter_mark_threads_in_time(data, KIND_CLOCK, filter, add_clock, &pass);
	event_filter_mark_threads_in_time(data, KIND_OFFCPU, filter, add_off_cpu, &pass);
	if (timelines->sample_count)
		qsort(timelines->samples, timelines->sample_count, sizeof *timelines->samples, by_time);
}

void mpi_timelines_free(struct mpi_timelines *timelines)
{
	free(timelines->calls);
	free(timelines->ends);
	free(timelines->samples);
}

/* Whether something of a thread at a time is not before another. */
static bool reached(uint64_t thread, uint64_t time, uint64_t other_thread, uint64_t other_time)
{
	return thread > other_thread || (thread == other_thread && time >= other_time);
}

uint32_t mpi_timeline_call(const struct mpi_timelines *timelines, uint64_t thread, uint64_t from)
{
	const struct mpi_trace *trace = timelines->trace;
	const struct mpi_trace_call *calls = trace->calls;
	const uint32_t *order = timelines->calls;
	return (uint32_t)FIRST_WHERE(
		i, trace->call_count, reached(mpi_thread_of(&calls[order[i]]), calls[order[i]].begin, thread, from));
}

uint32_t mpi_timeline_call_at(const struct mpi_timelines *timelines, uint64_t thread, uint64_t begin, uint32_t stack)
{
	const struct mpi_trace *trace = timelines->trace;
	uint32_t found = NO_CALL;
	for (uint32_t i = mpi_timeline_call(timelines, thread, begin); i < trace->call_count; i++) {
		const struct mpi_trace_call *call = &trace->calls[timelines->calls[i]];
		if (mpi_thread_of(call) != thread || call->begin != begin)
			break;
		found = found == NO_CALL || call->stack == stack ? timelines->calls[i] : found;
	}
	return found;
}

uint32_t mpi_timeline_wait(const struct mpi_timelines *timelines, uint64_t thread, uint64_t after)
{
	const struct mpi_wait *waits = timelines->waits;
	const uint32_t *order = timelines->ends;
	return (uint32_t)FIRST_WHERE(i, timelines->wait_count,
		reached(mpi_wait_thread(&waits[order[i]]), waits[order[i]].end, thread, after + 1));
}

uint32_t mpi_timeline_sample(const struct mpi_timelines *timelines, uint64_t thread, uint64_t from)
{
	const struct mpi_sample *samples = timelines->samples;
	return (uint32_t)FIRST_WHERE(
		i, timelines->sample_count, reached(samples[i].thread, samples[i].time, thread, from));
}
