/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The point-to-point messages of MPI, each with both its sides. */
#include "command_functions.h"
#include "mpi_message_events.h"
#include "mpi_names.h"
#include "search.h"
#include "storage.h"

#include <inttypes.h>
#include <stdlib.h>

/* A message, or what is known of one: it may lack a side. */
struct message {
	uint64_t time; /* of what is known first */
	struct mpi_route route;
	struct mpi_half send, receive;
	bool sent, received;
};
/* The earliest messages, as many as are shown, and sums of all. */
struct messages {
	struct message *array;
	size_t count, capacity, limit;
	uint64_t all, without_send, without_receive, backwards, other_size;
};

static int by_message_time(const void *left, const void *right)
{
	const struct message *a = left, *b = right;
	const struct mpi_half *one = a->sent ? &a->send : &a->receive, *other = b->sent ? &b->send : &b->receive;
	int order = COMPARE(a->time, b->time) ?: COMPARE(b->sent, a->sent);
	order = order ?: COMPARE(a->route.pair, b->route.pair) ?: COMPARE(a->route.source, b->route.source);
	order = order ?: COMPARE(a->route.destination, b->route.destination) ?: COMPARE(a->route.tag, b->route.tag);
	return order ?: COMPARE(one->order, other->order);
}

/* Leaves those that are shown, if they are many more. */
static void cut(struct messages *messages, size_t most)
{
	if (messages->count <= most)
		return;
	qsort(messages->array, messages->count, sizeof *messages->array, by_message_time);
	if (messages->count > messages->limit)
		messages->count = messages->limit;
}

static void add_message(void *context, const struct mpi_message *message)
{
	struct messages *messages = context;
	const struct mpi_half *send = message->send, *receive = message->receive;
	if (!(send && send->kept) && !(receive && receive->kept))
		return;
	messages->all++;
	messages->without_send += !send;
	messages->without_receive += !receive;
	messages->backwards += send && receive && receive->end < send->begin;
	messages->other_size += send && receive && receive->bytes != send->bytes;
	memory_reserve(messages->array, messages->count, messages->capacity);
	messages->array[messages->count++] = (struct message){.time = send ? send->begin : receive->end,
		.route = *message->route,
		.send = send ? *send : (struct mpi_half){0},
		.receive = receive ? *receive : (struct mpi_half){0},
		.sent = send != 0,
		.received = receive != 0};
	if (messages->limit < SIZE_MAX / 4)
		cut(messages, messages->limit * 2 + 1000);
}

static void begin(void *context)
{
	struct messages *messages = context;
	*messages =
		(struct messages){.array = messages->array, .capacity = messages->capacity, .limit = messages->limit};
}

static void add_summary(struct table *table, const struct messages *messages)
{
	table_preamble(table, table_text(table,
				      "MPI messages: %" PRIu64 ", of which %" PRIu64 " without a receive, %" PRIu64
				      " without a send, %" PRIu64 " received before they were sent, %" PRIu64
				      " of another size than was sent",
				      messages->all, messages->without_receive, messages->without_send,
				      messages->backwards, messages->other_size));
	table_preamble(table, "");
}

enum message_cell { SENT, RECEIVED, LATENCY, BYTES, TAG, SOURCE, DESTINATION, COMMUNICATOR, SEND_CALL, RECEIVE_CALL };

static void add_row(struct session *session, struct table *table, const struct mpi_process_names *names,
	const struct mpi_world *world, const struct message *message)
{
	const struct mpi_half *send = &message->send, *receive = &message->receive,
			      *one = message->sent ? send : receive;
	const struct mpi_route *route = &message->route;
	struct cell *cells = table_row(table, ROW_PLAIN);
	if (message->sent)
		cell_number(&cells[SENT], send->begin);
	if (message->received)
		cell_number(&cells[RECEIVED], receive->end);
	if (message->sent && message->received && receive->end >= send->begin)
		cell_number(&cells[LATENCY], receive->end - send->begin);
	cell_number(&cells[BYTES], one->bytes);
	cell_number(&cells[TAG], route->tag);
	cell_words(&cells[SOURCE], mpi_process_name(names, route->source));
	cell_words(&cells[DESTINATION], mpi_process_name(names, route->destination));
	cell_words(&cells[COMMUNICATOR], mpi_communicator_name(table, world, one->communicator));
	if (message->sent)
		cell_words(&cells[SEND_CALL], mpi_function_name(session, route->source, send->function));
	if (message->received)
		cell_words(&cells[RECEIVE_CALL], mpi_function_name(session, route->destination, receive->function));
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
	struct messages messages = {.limit = session->limit ? session->limit : SIZE_MAX};
	struct mpi_world *world = mpi_world_read(session->data);
	const struct mpi_message_reader reader = {begin, add_message, &messages};
	if (!mpi_messages_visit(session->data, world, session_filter(session), &reader)) {
		mpi_world_free(world);
		return session_error(session, MPI_NO_MESSAGES);
	}
	struct table table = {0};
	struct mpi_process_names names = mpi_process_names_make(session, &table);
	cut(&messages, 0);
	add_summary(&table, &messages);
	table_headings(&table, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < messages.count; i++)
		add_row(session, &table, &names, world, &messages.array[i]);
	session_print(session, &table);
	free(names.text);
	free(messages.array);
	mpi_world_free(world);
	return true;
}
