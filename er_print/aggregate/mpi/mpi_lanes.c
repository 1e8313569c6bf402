/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls are sorted by lane and time, and parted where their wait ends: see mpi_lanes.h. */
#include "mpi_lanes.h"
#include "mpi_messages.h"
#include "mpi_ranks.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

struct reading {
	struct data *data;
	struct mpi_trace *trace;
	struct mpi_waits waits;
	uint32_t *calls; /* of the trace, by lane and beginning */
	struct mpi_lanes *lanes;
	struct number_map places; /* (experiment, thread) -> lane */
};

const char *mpi_lane_title(unsigned kind)
{
	static const char *const titles[] = {[LANE_OUTSIDE] = "Outside of MPI",
		[LANE_POINT_TO_POINT] = "Point-to-Point",
		[LANE_COLLECTIVE] = "Collective",
		[LANE_ONE_SIDED] = "One-Sided",
		[LANE_FILE] = "File",
		[LANE_OTHER] = "Other MPI"};
	return kind < LANE_WAIT ? titles[kind] : mpi_wait_title(kind - LANE_WAIT);
}

static unsigned kind_of(const struct reading *reading, const struct mpi_trace_call *call)
{
	static const struct {
		const char *class;
		enum mpi_lane_kind kind;
	} classes[] = {{"point-to-point", LANE_POINT_TO_POINT}, {"completion", LANE_POINT_TO_POINT},
		{"collective", LANE_COLLECTIVE}, {"one-sided", LANE_ONE_SIDED}, {"file", LANE_FILE}};
	const struct experiment *file = reading->data->experiments[call->experiment].file;
	const char *class = call->function < file->mpi_function_count ? file->mpi_functions[call->function].class : "";
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (!strcmp(class, classes[i].class))
			return classes[i].kind;
	return LANE_OTHER;
}

static uint64_t rank_of(const struct data *data, uint32_t experiment)
{
	return mpi_rank_of(data->experiments[experiment].file);
}

/* Calls of the same beginning keep the order of the trace. */
static int by_lane_and_time(const void *left, const void *right, void *context)
{
	const struct reading *reading = context;
	uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
	const struct mpi_trace_call *a = &reading->trace->calls[x], *b = &reading->trace->calls[y];
	int order = a->experiment == b->experiment
			    ? 0
			    : COMPARE(rank_of(reading->data, a->experiment), rank_of(reading->data, b->experiment));
	order = order ?: COMPARE(a->experiment, b->experiment) ?: COMPARE(a->thread, b->thread);
	return order ?: COMPARE(a->begin, b->begin) ?: COMPARE(x, y);
}

static void add_piece(struct mpi_lanes *lanes, uint64_t begin, uint64_t end, unsigned kind)
{
	if (end <= begin)
		return;
	lanes->pieces = memory_room(lanes->pieces, lanes->piece_count, sizeof *lanes->pieces);
	lanes->pieces[lanes->piece_count++] = (struct mpi_piece){begin, end, kind};
}

static const struct mpi_wait *wait_of(const struct reading *reading, const struct mpi_trace_call *call)
{
	const struct mpi_wait *wait =
		mpi_waits_of_call(&reading->waits, call->experiment, call->thread, call->begin, call->end);
	return wait && wait->kept ? wait : 0;
}

/* The wait is at the beginning of its call. Times are rounded, and a call may seem to begin before the one before it has ended. */
static void add_call(struct reading *reading, struct mpi_lane *lane, uint32_t number)
{
	const struct mpi_trace_call *call = &reading->trace->calls[number];
	const struct mpi_wait *wait = wait_of(reading, call);
	uint64_t begin = call->begin > lane->end ? call->begin : lane->end;
	uint64_t end = call->end > begin ? call->end : begin, there = begin;
	if (wait)
		there = wait->end < begin ? begin : wait->end < end ? wait->end : end;
	if (wait)
		add_piece(reading->lanes, begin, there, LANE_WAIT + wait->state);
	add_piece(reading->lanes, there, end, kind_of(reading, call));
	lane->end = end;
	lane->count = reading->lanes->piece_count - lane->first;
}

static void add_lanes(struct reading *reading)
{
	struct mpi_lanes *lanes = reading->lanes;
	struct mpi_trace *trace = reading->trace;
	uint32_t count = 0;
	reading->calls = memory_new(trace->call_count, sizeof *reading->calls);
	for (uint32_t c = 0; c < trace->call_count; c++)
		if (trace->calls[c].kept)
			reading->calls[count++] = c;
	if (count)
		qsort_r(reading->calls, count, sizeof *reading->calls, by_lane_and_time, reading);
	for (uint32_t i = 0; i < count; i++) {
		const struct mpi_trace_call *call = &trace->calls[reading->calls[i]];
		uint32_t *place = number_map_place(&reading->places, mpi_thread_of(call));
		if (*place == NO_NUMBER) {
			lanes->lanes = memory_room(lanes->lanes, lanes->lane_count, sizeof *lanes->lanes);
			lanes->lanes[lanes->lane_count] = (struct mpi_lane){.experiment = call->experiment,
				.thread = call->thread,
				.first = lanes->piece_count,
				.begin = call->begin,
				.end = call->begin};
			*place = lanes->lane_count++;
		}
		add_call(reading, &lanes->lanes[*place], reading->calls[i]);
	}
	for (uint32_t l = 0; l < lanes->lane_count; l++) {
		lanes->begin = !l || lanes->lanes[l].begin < lanes->begin ? lanes->lanes[l].begin : lanes->begin;
		lanes->end = lanes->lanes[l].end > lanes->end ? lanes->lanes[l].end : lanes->end;
	}
}

static int by_sending(const void *left, const void *right)
{
	const struct mpi_line *a = left, *b = right;
	int order = COMPARE(a->sent, b->sent) ?: COMPARE(a->received, b->received);
	return order ?: COMPARE(a->from, b->from) ?: COMPARE(a->to, b->to);
}

static void add_lines(struct reading *reading)
{
	const struct mpi_trace *trace = reading->trace;
	struct mpi_lanes *lanes = reading->lanes;
	for (uint32_t i = 0; i < trace->receive_count; i++) {
		const struct mpi_side *receive = &trace->receives[i];
		if (receive->partner == NO_MESSAGE || !(receive->kept || trace->sends[receive->partner].kept))
			continue;
		const struct mpi_trace_call *sent = &trace->calls[trace->sends[receive->partner].start];
		const struct mpi_trace_call *received = &trace->calls[receive->completion];
		uint32_t from = number_map_find(&reading->places, mpi_thread_of(sent));
		uint32_t to = number_map_find(&reading->places, mpi_thread_of(received));
		if (from == NO_NUMBER || to == NO_NUMBER)
			continue;
		lanes->lines = memory_room(lanes->lines, lanes->line_count, sizeof *lanes->lines);
		lanes->lines[lanes->line_count++] = (struct mpi_line){from, to, sent->begin, received->end};
	}
	if (lanes->line_count)
		qsort(lanes->lines, lanes->line_count, sizeof *lanes->lines, by_sending);
}

struct mpi_lanes *mpi_lanes_read(struct data *data, const struct event_filter *filter)
{
	struct reading reading = {.data = data, .lanes = memory_new(1, sizeof *reading.lanes)};
	reading.trace = mpi_trace_read_calls(data, filter);
	mpi_messages_match(reading.trace);
	reading.waits = mpi_waits_read(data, filter, 0);
	add_lanes(&reading);
	add_lines(&reading);
	free(reading.waits.all);
	free(reading.calls);
	number_map_free(&reading.places);
	mpi_trace_free(reading.trace);
	return reading.lanes;
}

void mpi_lanes_free(struct mpi_lanes *lanes)
{
	if (!lanes)
		return;
	free(lanes->lanes);
	free(lanes->pieces);
	free(lanes->lines);
	free(lanes);
}
