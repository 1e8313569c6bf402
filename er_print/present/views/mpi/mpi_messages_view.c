/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The point-to-point messages of MPI, each with both its sides. */
#include "command_functions.h"
#include "mpi_message_trace.h"
#include "mpi_names.h"
#include "search.h"
#include "storage.h"

#include <inttypes.h>
#include <stdlib.h>

/* A message, or what is known of one: either side may be 0. */
struct message {
	const struct mpi_side *send, *receive;
	uint64_t time;
};

static int by_message_time(const void *left, const void *right)
{
	const struct message *a = left, *b = right;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (!a->send != !b->send)
		return a->send ? -1 : 1;
	return a->send ? COMPARE(a->send, b->send) : COMPARE(a->receive, b->receive);
}

static struct message *pair_sides(const struct mpi_trace *trace, size_t *count)
{
	struct message *pairs = memory_new((size_t)trace->send_count + trace->receive_count, sizeof *pairs);
	*count = 0;
	for (uint32_t i = 0; i < trace->send_count; i++) {
		const struct mpi_side *send = &trace->sends[i];
		const struct mpi_side *receive = send->partner == NO_MESSAGE ? 0 : &trace->receives[send->partner];
		if (send->kept || (receive && receive->kept))
			pairs[(*count)++] = (struct message){send, receive, trace->calls[send->start].begin};
	}
	for (uint32_t i = 0; i < trace->receive_count; i++) {
		const struct mpi_side *receive = &trace->receives[i];
		if (receive->kept && receive->partner == NO_MESSAGE)
			pairs[(*count)++] = (struct message){0, receive, trace->calls[receive->completion].end};
	}
	if (*count)
		qsort(pairs, *count, sizeof *pairs, by_message_time);
	return pairs;
}

static void add_summary(
	struct table *table, const struct mpi_trace_call *calls, const struct message *pairs, size_t count)
{
	uint64_t without_send = 0, without_receive = 0, backwards = 0, other_size = 0;
	for (size_t i = 0; i < count; i++) {
		const struct mpi_side *send = pairs[i].send, *receive = pairs[i].receive;
		without_send += !send;
		without_receive += !receive;
		backwards += send && receive && calls[receive->completion].end < calls[send->start].begin;
		other_size += send && receive && receive->bytes != send->bytes;
	}
	table_preamble(table, table_text(table,
				      "MPI messages: %zu, of which %" PRIu64 " without a receive, %" PRIu64
				      " without a send, %" PRIu64 " received before they were sent, %" PRIu64
				      " of another size than was sent",
				      count, without_receive, without_send, backwards, other_size));
	table_preamble(table, "");
}

enum message_cell { SENT, RECEIVED, LATENCY, BYTES, TAG, SOURCE, DESTINATION, COMMUNICATOR, SEND_CALL, RECEIVE_CALL };

static void add_message(struct session *session, struct table *table, const struct mpi_process_names *names,
	const struct mpi_trace *trace, const struct message *message)
{
	const struct mpi_side *send = message->send, *receive = message->receive, *one = send ? send : receive;
	const struct mpi_trace_call *sending = send ? &trace->calls[send->start] : 0;
	const struct mpi_trace_call *receiving = receive ? &trace->calls[receive->completion] : 0;
	struct cell *cells = table_row(table, ROW_PLAIN);
	if (send)
		cell_number(&cells[SENT], sending->begin);
	if (receive)
		cell_number(&cells[RECEIVED], receiving->end);
	if (send && receive && receiving->end >= sending->begin)
		cell_number(&cells[LATENCY], receiving->end - sending->begin);
	cell_number(&cells[BYTES], one->bytes);
	cell_number(&cells[TAG], one->tag);
	cell_words(&cells[SOURCE], mpi_process_name(names, send ? sending->experiment : receive->peer));
	cell_words(&cells[DESTINATION], mpi_process_name(names, receive ? receiving->experiment : send->peer));
	cell_words(&cells[COMMUNICATOR], mpi_communicator_name(table, trace->world, one->communicator));
	if (send)
		cell_words(&cells[SEND_CALL], mpi_function_name(session, sending->experiment, sending->function));
	if (receive)
		cell_words(
			&cells[RECEIVE_CALL], mpi_function_name(session, receiving->experiment, receiving->function));
}

bool command_mpi_messages(struct session *session, unsigned argc, char **argv)
{
	static const struct table_heading columns[] = {[SENT] = {"Send Time", COLUMN_MOMENT},
		[RECEIVED] = {"Receive Time", COLUMN_MOMENT},
		[LATENCY] = {"Latency", COLUMN_MOMENT},
		[BYTES] = {"Bytes", COLUMN_COUNT},
		[TAG] = {"Tag", COLUMN_COUNT},
		[SOURCE] = {"Source", COLUMN_TEXT},
		[DESTINATION] = {"Destination", COLUMN_TEXT},
		[COMMUNICATOR] = {"Communicator", COLUMN_TEXT},
		[SEND_CALL] = {"Send Function", COLUMN_TEXT},
		[RECEIVE_CALL] = {"Receive Function", COLUMN_TEXT}};
	(void)argc, (void)argv;
	struct mpi_trace *trace = mpi_message_trace(session);
	if (!trace)
		return false;
	struct table table = {0};
	size_t count, limit = session->limit ? session->limit : SIZE_MAX;
	struct mpi_process_names names = mpi_process_names_make(session, &table);
	struct message *pairs = pair_sides(trace, &count);
	add_summary(&table, trace->calls, pairs, count);
	table_headings(&table, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < count && i < limit; i++)
		add_message(session, &table, &names, trace, &pairs[i]);
	session_print(session, &table);
	free(names.text);
	free(pairs);
	mpi_trace_free(trace);
	return true;
}
