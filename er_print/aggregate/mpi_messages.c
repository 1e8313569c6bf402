/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass over the events, a sort of each side, one walk along both. */
#include "mpi_messages.h"
#include "storage.h"

#include <stdlib.h>

/* The end of a thread's last call, which further messages of it do not repeat. */
struct call {
	uint64_t time, end;
};
struct pass {
	struct mpi_messages *messages;
	const struct loaded_experiment *experiments;
	struct number_map threads; /* (experiment, thread) -> place in calls */
	struct call *calls;
	uint32_t call_count;
};

static struct call *call_of(struct pass *pass, uint32_t experiment, uint32_t thread)
{
	uint32_t *place = number_map_place(&pass->threads, number_pair(experiment, thread));
	if (*place == UINT32_MAX) {
		pass->calls = memory_room(pass->calls, pass->call_count, sizeof *pass->calls);
		pass->calls[pass->call_count] = (struct call){0};
		*place = pass->call_count++;
	}
	return &pass->calls[*place];
}

static void add_side(struct pass *pass, const struct mpi_side *side, bool send)
{
	struct mpi_messages *messages = pass->messages;
	struct mpi_side **array = send ? &messages->sends : &messages->receives;
	uint32_t *count = send ? &messages->send_count : &messages->receive_count;
	if (*count == NO_MESSAGE - 1)
		return;
	*array = memory_room(*array, *count, sizeof **array);
	(*array)[(*count)++] = *side;
}

static void add_event(
	struct pass *pass, const struct data_batch *batch, uint32_t i, uint64_t role, uint64_t end, bool kept)
{
	const struct mpi_world *world = pass->messages->world;
	bool send = role == STATE_VALUE(MPI, role, send);
	uint32_t experiment = (uint32_t)(batch->experiment - pass->experiments);
	uint64_t peer = batch->field[FIELD_INDEX(MPI, peer)][i];
	struct mpi_side side = {.begin = batch->time[i],
		.end = end,
		.bytes = batch->field[send ? FIELD_INDEX(MPI, sent) : FIELD_INDEX(MPI, received)][i],
		.order = batch->field[FIELD_INDEX(MPI, order)][i],
		.experiment = experiment,
		.peer = NO_EXPERIMENT,
		.peer_rank = (uint32_t)peer,
		.communicator = mpi_world_find(world, experiment, batch->field[FIELD_INDEX(MPI, communicator)][i]),
		.pair = NO_COMMUNICATOR,
		.tag = (uint32_t)batch->field[FIELD_INDEX(MPI, tag)][i],
		.stack = batch->stack[i],
		.thread = batch->thread[i],
		.partner = NO_MESSAGE,
		.function = (uint16_t)batch->field[FIELD_INDEX(MPI, function)][i],
		.kept = kept};
	if (side.communicator != NO_COMMUNICATOR) {
		const struct mpi_communicator *own = mpi_world_communicator(world, side.communicator);
		if (own->peers != NO_COMMUNICATOR)
			side.peer = mpi_world_member(world, own->peers, peer);
		if (side.peer != NO_EXPERIMENT)
			side.pair = own->pair;
	}
	add_side(pass, &side, send);
}

static void add_batch(void *context, const struct data_batch *batch, const bool *kept)
{
	struct pass *pass = context;
	const uint64_t *role = batch->field[FIELD_INDEX(MPI, role)], *calls = batch->field[FIELD_INDEX(MPI, calls)];
	const uint64_t *duration = batch->field[FIELD_INDEX(MPI, duration)];
	const uint64_t *between = batch->field[FIELD_INDEX(MPI, between)];
	uint32_t experiment = (uint32_t)(batch->experiment - pass->experiments);
	for (uint32_t i = 0; i < batch->count; i++) {
		struct call *call = call_of(pass, experiment, batch->thread[i]);
		if (calls[i])
			*call = (struct call){batch->time[i], batch->time[i] + duration[i] + between[i]};
		if (role[i] != STATE_VALUE(MPI, role, send) && role[i] != STATE_VALUE(MPI, role, receive))
			continue;
		uint64_t end = call->end > batch->time[i] ? call->end : batch->time[i];
		add_event(pass, batch, i, role[i], end, !kept || kept[i]);
	}
}

struct key {
	uint32_t pair, source, destination, tag;
	uint64_t order;
};

static struct key key_of(const struct mpi_side *side, bool send)
{
	return (struct key){side->pair, send ? side->experiment : side->peer, send ? side->peer : side->experiment,
		side->tag, side->order};
}

/* Which of two is of an earlier message; 0 if they may be of one, but for the order. */
static int compare_partners(const struct key *a, const struct key *b)
{
	if (a->pair != b->pair)
		return a->pair < b->pair ? -1 : 1;
	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	if (a->destination != b->destination)
		return a->destination < b->destination ? -1 : 1;
	return a->tag < b->tag ? -1 : a->tag > b->tag;
}

static int compare_sides(const struct mpi_side *left, const struct mpi_side *right, bool send)
{
	struct key a = key_of(left, send), b = key_of(right, send);
	int order = compare_partners(&a, &b);
	if (order)
		return order;
	if (a.order != b.order)
		return a.order < b.order ? -1 : 1;
	return left->begin < right->begin ? -1 : left->begin > right->begin;
}

static int compare_sends(const void *left, const void *right)
{
	return compare_sides(left, right, true);
}

static int compare_receives(const void *left, const void *right)
{
	return compare_sides(left, right, false);
}

static void match(struct mpi_messages *messages)
{
	uint32_t s = 0, r = 0;
	while (s < messages->send_count && r < messages->receive_count) {
		struct key send = key_of(&messages->sends[s], true), receive = key_of(&messages->receives[r], false);
		int order = compare_partners(&send, &receive);
		if (!order && send.pair != NO_COMMUNICATOR) {
			messages->sends[s].partner = r;
			messages->receives[r].partner = s;
		}
		s += order <= 0;
		r += order >= 0;
	}
}

struct mpi_messages *mpi_messages_read(struct data *data, const struct event_filter *filter)
{
	struct mpi_messages *messages = memory_get(1, sizeof *messages);
	struct pass pass = {.messages = messages, .experiments = data->experiments};
	messages->world = mpi_world_read(data);
	event_filter_mark_in_time(data, KIND_MPI, filter, add_batch, &pass);
	number_map_free(&pass.threads);
	free(pass.calls);
	if (messages->send_count)
		qsort(messages->sends, messages->send_count, sizeof *messages->sends, compare_sends);
	if (messages->receive_count)
		qsort(messages->receives, messages->receive_count, sizeof *messages->receives, compare_receives);
	match(messages);
	return messages;
}

void mpi_messages_free(struct mpi_messages *messages)
{
	if (!messages)
		return;
	mpi_world_free(messages->world);
	free(messages->sends);
	free(messages->receives);
	free(messages);
}
