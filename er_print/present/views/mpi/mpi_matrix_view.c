/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between which MPI ranks how many messages went, and how fast. */
#include "command_functions.h"
#include "mpi_message_trace.h"
#include "mpi_messages.h"
#include "mpi_names.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

/* Between two processes. */
struct stream {
	uint32_t source, destination; /* experiments, or NO_EXPERIMENT */
	uint64_t source_rank, destination_rank;
	uint64_t sends, sent, receives, received;
	uint64_t timed, time, shortest; /* messages whose latency is known, and ns */
	uint64_t bandwidth;             /* of the fastest, bytes per second */
};
struct streams {
	struct stream *array;
	uint32_t count;
	struct number_map places;
};

static uint64_t rank_of(const struct session *session, uint32_t experiment)
{
	return experiment == NO_EXPERIMENT ? UINT64_MAX : mpi_rank_of(session->data->experiments[experiment].file);
}

static struct stream *stream_of(
	struct streams *streams, const struct session *session, uint32_t source, uint32_t destination)
{
	uint32_t *place = number_map_place(&streams->places, number_pair(source, destination));
	if (*place == NO_NUMBER) {
		streams->array = memory_room(streams->array, streams->count, sizeof *streams->array);
		streams->array[streams->count] = (struct stream){.source = source,
			.destination = destination,
			.source_rank = rank_of(session, source),
			.destination_rank = rank_of(session, destination)};
		*place = streams->count++;
	}
	return &streams->array[*place];
}

static int by_ranks(const void *left, const void *right)
{
	const struct stream *a = left, *b = right;
	int order = COMPARE(a->source_rank, b->source_rank) ?: COMPARE(a->source, b->source);
	return order ?: COMPARE(a->destination_rank, b->destination_rank) ?: COMPARE(a->destination, b->destination);
}

static void add_time(struct stream *stream, uint64_t time, uint64_t bytes)
{
	double bandwidth = time ? (double)bytes * 1e9 / (double)time : 0;
	if (!stream->timed++ || time < stream->shortest)
		stream->shortest = time;
	stream->time += time;
	if (bandwidth > (double)stream->bandwidth)
		stream->bandwidth = (uint64_t)bandwidth;
}

/* Messages of which the filters keep either side. */
static void add_times(struct streams *streams, const struct session *session, const struct mpi_trace *trace)
{
	for (uint32_t i = 0; i < trace->receive_count; i++) {
		const struct mpi_side *receive = &trace->receives[i];
		int64_t time = mpi_message_latency(trace, receive);
		if (time < 0 || !(receive->kept || trace->sends[receive->partner].kept))
			continue;
		add_time(stream_of(streams, session, receive->peer, trace->calls[receive->completion].experiment),
			(uint64_t)time, receive->bytes);
	}
}

static void add_sides(struct streams *streams, const struct session *session, const struct mpi_trace *trace)
{
	for (uint32_t i = 0; i < trace->send_count; i++) {
		const struct mpi_side *send = &trace->sends[i];
		if (!send->kept)
			continue;
		struct stream *stream = stream_of(streams, session, trace->calls[send->start].experiment, send->peer);
		stream->sends++;
		stream->sent += send->bytes;
	}
	for (uint32_t i = 0; i < trace->receive_count; i++) {
		const struct mpi_side *receive = &trace->receives[i];
		if (!receive->kept)
			continue;
		struct stream *stream =
			stream_of(streams, session, receive->peer, trace->calls[receive->completion].experiment);
		stream->receives++;
		stream->received += receive->bytes;
	}
	add_times(streams, session, trace);
	if (streams->count)
		qsort(streams->array, streams->count, sizeof *streams->array, by_ranks);
}

static void add_row(struct table *table, const struct stream *stream, const char *source, const char *destination)
{
	struct cell *cells = table_row(table, ROW_PLAIN);
	cell_number(&cells[0], stream->sends);
	cell_number(&cells[1], stream->sent);
	cell_number(&cells[2], stream->receives);
	cell_number(&cells[3], stream->received);
	cell_words(&cells[7], source);
	cell_words(&cells[8], destination);
	if (!stream->timed)
		return;
	cell_number(&cells[4], stream->shortest);
	cell_number(&cells[5], stream->time / stream->timed);
	if (stream->bandwidth)
		cell_number(
			&cells[6], stream->bandwidth / 1000 * 1000); /* millionths of MB/s, shown with three decimals */
}

static void add_stream_times(struct stream *total, const struct stream *stream)
{
	if (stream->timed && (!total->timed || stream->shortest < total->shortest))
		total->shortest = stream->shortest;
	total->timed += stream->timed;
	total->time += stream->time;
	if (stream->bandwidth > total->bandwidth)
		total->bandwidth = stream->bandwidth;
}

static void add_total(struct table *table, const struct streams *streams)
{
	struct stream total = {0};
	for (uint32_t i = 0; i < streams->count; i++) {
		total.sends += streams->array[i].sends;
		total.sent += streams->array[i].sent;
		total.receives += streams->array[i].receives;
		total.received += streams->array[i].received;
		add_stream_times(&total, &streams->array[i]);
	}
	add_row(table, &total, "<Total>", "");
}

bool command_mpi_matrix(struct session *session, unsigned argc, char **argv)
{
	static const struct table_heading columns[] = {{"MPI Sends", COLUMN_COUNT}, {"MPI Bytes Sent", COLUMN_COUNT},
		{"MPI Receives", COLUMN_COUNT}, {"MPI Bytes Received", COLUMN_COUNT},
		{"Shortest Latency", COLUMN_MOMENT}, {"Mean Latency", COLUMN_MOMENT}, {"Best MB/s", COLUMN_DECIMAL},
		{"Source", COLUMN_TEXT}, {"Destination", COLUMN_TEXT}};
	(void)argc, (void)argv;
	struct mpi_trace *trace = mpi_message_trace(session);
	if (!trace)
		return false;
	struct streams streams = {0};
	struct table table = {0};
	struct mpi_process_names names = mpi_process_names_make(session, &table);
	add_sides(&streams, session, trace);
	table_preamble(&table, "MPI messages by source and destination rank");
	table_preamble(&table, "");
	table_headings(&table, columns, sizeof columns / sizeof *columns);
	table_name_rows(&table, 7, 2);
	add_total(&table, &streams);
	for (uint32_t i = 0; i < streams.count; i++) {
		const struct stream *stream = &streams.array[i];
		add_row(&table, stream, mpi_process_name(&names, stream->source),
			mpi_process_name(&names, stream->destination));
	}
	session_print(session, &table);
	free(names.text);
	free(streams.array);
	number_map_free(&streams.places);
	mpi_trace_free(trace);
	return true;
}
