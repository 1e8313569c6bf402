/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records are collected as they come and sorted once. */
#include "timeline.h"
#include "mpi_function_roles.h"
#include "number_map.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

/* Within a call, at one time. */
enum phase { PHASE_ENTER, PHASE_BEGIN, PHASE_END, PHASE_LEAVE, PHASES = 8 };

struct pass {
	struct data *data;
	struct timeline *timeline;
	struct number_map locations; /* (experiment, thread) -> location */
	enum kind kind;
};

static uint32_t location_of(struct pass *pass, uint32_t experiment, uint32_t thread)
{
	struct timeline *timeline = pass->timeline;
	uint32_t *place = number_map_place(&pass->locations, number_pair(experiment, thread));
	if (*place == NO_NUMBER) {
		timeline->locations =
			memory_room(timeline->locations, timeline->location_count, sizeof *timeline->locations);
		timeline->locations[timeline->location_count] =
			(struct timeline_location){.experiment = experiment, .thread = thread};
		*place = timeline->location_count++;
	}
	return *place;
}

static void add_record(struct pass *pass, const struct timeline_record *record)
{
	struct timeline *timeline = pass->timeline;
	if (timeline->record_count == TIMELINE_MOST)
		return;
	timeline->records = memory_room(timeline->records, timeline->record_count, sizeof *timeline->records);
	timeline->records[timeline->record_count++] = *record;
}

static void add_samples(void *context, const struct data_batch *batch)
{
	struct pass *pass = context;
	bool clock = pass->kind == KIND_CLOCK;
	const uint64_t *mode = batch->field[FIELD_INDEX(CLOCK, mode)];
	const uint64_t *counter = batch->field[FIELD_INDEX(OVERFLOW, counter)];
	uint32_t experiment = (uint32_t)(batch->experiment - pass->data->experiments);
	for (uint32_t i = 0; i < batch->count; i++)
		if (!clock || data_is_tick(mode[i]))
			add_record(pass, &(struct timeline_record){.time = batch->time[i],
						 .order = UINT64_MAX,
						 .what = batch->stack[i],
						 .location = location_of(pass, experiment, batch->thread[i]),
						 .type = TIMELINE_SAMPLE,
						 .counter = clock ? 0 : (counter[i] + 1) & 0xff});
}

/* An entry for a call, at its begin or its end. */
static void add_of_call(struct pass *pass, uint32_t call, enum phase phase, enum timeline_type type, uint32_t what)
{
	const struct mpi_trace_call *own = &pass->timeline->trace->calls[call];
	add_record(pass, &(struct timeline_record){.time = phase <= PHASE_BEGIN ? own->begin : own->end,
				 .order = (uint64_t)call * PHASES + phase,
				 .what = what,
				 .location = location_of(pass, own->experiment, own->thread),
				 .type = type});
}

/* Times are rounded, and a call may seem to begin before the one before it has ended. */
static void part_calls(struct pass *pass)
{
	struct mpi_trace *trace = pass->timeline->trace;
	uint32_t *last = 0, known = 0;
	for (uint32_t c = 0; c < trace->call_count; c++) {
		struct mpi_trace_call *own = &trace->calls[c];
		uint32_t location = location_of(pass, own->experiment, own->thread);
		for (; known <= location; known++) {
			last = memory_room(last, known, sizeof *last);
			last[known] = NO_CALL;
		}
		struct mpi_trace_call *before = last[location] == NO_CALL ? 0 : &trace->calls[last[location]];
		if (before && before->end > own->begin)
			before->end = own->begin;
		last[location] = c;
	}
	free(last);
}

/* Calls of which something is kept are. */
static void keep_calls(struct mpi_trace *trace)
{
	struct mpi_trace_call *calls = trace->calls;
	const struct mpi_side *sides[] = {trace->sends, trace->receives};
	const uint32_t counts[] = {trace->send_count, trace->receive_count};
	for (unsigned s = 0; s < 2; s++)
		for (uint32_t i = 0; i < counts[s]; i++)
			if (sides[s][i].kept)
				calls[sides[s][i].start].kept = calls[sides[s][i].completion].kept = true;
	for (uint32_t i = 0; i < trace->part_count; i++)
		if (trace->parts[i].kept)
			calls[trace->parts[i].start].kept = calls[trace->parts[i].completion].kept = true;
	for (uint32_t i = 0; i < trace->transfer_count; i++)
		if (trace->transfers[i].kept)
			calls[trace->transfers[i].call].kept = true;
}

/* Whether the function returns before what it began is over, whatever becomes of it. */
static bool only_begins(const struct pass *pass, const struct mpi_trace_call *call)
{
	const struct experiment *file = pass->data->experiments[call->experiment].file;
	const char *name = call->function < file->mpi_function_count ? file->mpi_functions[call->function].name : "";
	return mpi_function_begins(name);
}

/* Something that one call began and one ended, if those are kept. */
static void add_span(
	struct pass *pass, uint32_t start, uint32_t completion, const enum timeline_type types[2], uint32_t what)
{
	const struct mpi_trace_call *calls = pass->timeline->trace->calls;
	if (calls[start].kept)
		add_of_call(pass, start, PHASE_BEGIN, types[0], what);
	if (calls[completion].kept)
		add_of_call(pass, completion, PHASE_END, types[1], what);
}

static void add_sends(struct pass *pass)
{
	static const enum timeline_type types[] = {TIMELINE_SEND_BEGIN, TIMELINE_SEND_END};
	const struct mpi_trace *trace = pass->timeline->trace;
	for (uint32_t i = 0; i < trace->send_count; i++) {
		const struct mpi_side *send = &trace->sends[i];
		if (send->start != send->completion)
			add_span(pass, send->start, send->completion, types, i);
		else if (trace->calls[send->start].kept)
			add_of_call(pass, send->start, PHASE_BEGIN,
				only_begins(pass, &trace->calls[send->start]) ? TIMELINE_SEND_BEGIN : TIMELINE_SEND, i);
	}
}

static void add_receives(struct pass *pass)
{
	static const enum timeline_type types[] = {TIMELINE_RECEIVE_BEGIN, TIMELINE_RECEIVE_END};
	const struct mpi_trace *trace = pass->timeline->trace;
	for (uint32_t i = 0; i < trace->receive_count; i++) {
		const struct mpi_side *receive = &trace->receives[i];
		if (receive->start != receive->completion)
			add_span(pass, receive->start, receive->completion, types, i);
		else if (trace->calls[receive->completion].kept)
			add_of_call(pass, receive->completion, PHASE_END, TIMELINE_RECEIVE, i);
	}
}

static void add_parts(struct pass *pass)
{
	static const enum timeline_type at_once[] = {TIMELINE_COLLECTIVE_BEGIN, TIMELINE_COLLECTIVE_END},
					later[] = {TIMELINE_PART_BEGIN, TIMELINE_PART_END};
	const struct mpi_trace *trace = pass->timeline->trace;
	for (uint32_t i = 0; i < trace->part_count; i++) {
		const struct mpi_part *part = &trace->parts[i];
		if (part->start != part->completion || !only_begins(pass, &trace->calls[part->start]))
			add_span(pass, part->start, part->completion, part->start == part->completion ? at_once : later,
				i);
		else if (trace->calls[part->start].kept)
			add_of_call(pass, part->start, PHASE_BEGIN, TIMELINE_PART_BEGIN, i);
	}
}

static void add_transfers(struct pass *pass)
{
	static const enum timeline_type types[] = {TIMELINE_TRANSFER_BEGIN, TIMELINE_TRANSFER_END};
	const struct mpi_trace *trace = pass->timeline->trace;
	for (uint32_t i = 0; i < trace->transfer_count; i++)
		add_span(pass, trace->transfers[i].call, trace->transfers[i].call, types, i);
}

static void add_calls(struct pass *pass)
{
	const struct mpi_trace *trace = pass->timeline->trace;
	for (uint32_t c = 0; c < trace->call_count; c++) {
		if (!trace->calls[c].kept)
			continue;
		add_of_call(pass, c, PHASE_ENTER, TIMELINE_ENTER, c);
		add_of_call(pass, c, PHASE_LEAVE, TIMELINE_LEAVE, c);
	}
}

static int compare(uint64_t a, uint64_t b)
{
	return COMPARE(a, b);
}

/* A trace needs each location's records in the order of time, with calls nested as they were: the order decides between records
   of one nanosecond. It is UINT64_MAX for samples, which come after what a call did. */
static int by_time(const void *left, const void *right)
{
	const struct timeline_record *a = left, *b = right;
	int order = compare(a->location, b->location);
	order = order ? order : compare(a->time, b->time);
	order = order ? order : compare(a->order, b->order);
	return order ? order : compare(a->what, b->what);
}

static int by_thread(const void *left, const void *right, void *context)
{
	const struct timeline_location *locations = context, *a = &locations[*(const uint32_t *)left],
				       *b = &locations[*(const uint32_t *)right];
	int order = compare(a->experiment, b->experiment);
	return order ? order : compare(a->thread, b->thread);
}

static void sort_locations(struct timeline *timeline)
{
	uint32_t count = timeline->location_count;
	uint32_t *order = memory_new(count, sizeof *order), *place = memory_new(count, sizeof *place);
	struct timeline_location *sorted = memory_new(count, sizeof *sorted);
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	if (count)
		qsort_r(order, count, sizeof *order, by_thread, timeline->locations);
	for (uint32_t i = 0; i < count; i++) {
		place[order[i]] = i;
		sorted[i] = timeline->locations[order[i]];
	}
	for (uint32_t i = 0; i < timeline->record_count; i++)
		timeline->records[i].location = place[timeline->records[i].location];
	free(order);
	free(place);
	free(timeline->locations);
	timeline->locations = sorted;
}

static void sort(struct timeline *timeline)
{
	sort_locations(timeline);
	if (timeline->record_count)
		qsort(timeline->records, timeline->record_count, sizeof *timeline->records, by_time);
	/* From the end, so that the last assignment to `first` is of the location's first record. */
	for (uint32_t i = timeline->record_count; i-- > 0;) {
		struct timeline_location *location = &timeline->locations[timeline->records[i].location];
		location->first = i;
		location->count++;
	}
}

struct timeline *timeline_read(struct data *data, const struct event_filter *filter)
{
	struct timeline *timeline = memory_new(1, sizeof *timeline);
	struct pass pass = {.data = data, .timeline = timeline};
	timeline->trace = mpi_trace_read_calls(data, filter);
	keep_calls(timeline->trace);
	part_calls(&pass);
	add_calls(&pass);
	add_sends(&pass);
	add_receives(&pass);
	add_parts(&pass);
	add_transfers(&pass);
	for (unsigned i = 0; i < 2; i++) {
		pass.kind = i ? KIND_OVERFLOW : KIND_CLOCK;
		event_filter_visit(data, pass.kind, filter, add_samples, &pass);
	}
	number_map_free(&pass.locations);
	sort(timeline);
	return timeline;
}

void timeline_free(struct timeline *timeline)
{
	mpi_trace_free(timeline->trace);
	free(timeline->locations);
	free(timeline->records);
	free(timeline);
}
