/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns the events of calls into sides of messages: see mpi_message_events.h. */
#include "mpi_message_events.h"
#include "mpi_event_routes.h"
#include "number_map.h"
#include "storage.h"

#include <stdlib.h>

/* A thread's last call, whose further events do not repeat when it ended. */
struct last_call {
	uint64_t begin, end;
};
struct pass {
	const struct loaded_experiment *experiments;
	const struct mpi_world *world;
	struct mpi_channels *channels;
	struct number_map threads; /* (experiment, thread) -> place in last */
	struct last_call *last;
	uint32_t last_count;
	bool some;
};
struct message_event {
	const struct data_batch *batch;
	uint32_t i, experiment;
	bool kept;
	struct last_call call;
};
#define FIELD(event, name) ((event)->batch->field[FIELD_INDEX(MPI, name)][(event)->i])

static struct last_call *last_of(struct pass *pass, uint32_t experiment, uint32_t thread)
{
	uint32_t *place = number_map_place(&pass->threads, number_pair(experiment, thread));
	if (*place == NO_NUMBER) {
		pass->last = memory_room(pass->last, pass->last_count, sizeof *pass->last);
		pass->last[pass->last_count] = (struct last_call){0};
		*place = pass->last_count++;
	}
	return &pass->last[*place];
}

static struct mpi_half half_of(const struct pass *pass, const struct message_event *event, uint64_t bytes)
{
	return (struct mpi_half){.begin = event->call.begin,
		.end = event->call.end,
		.bytes = bytes,
		.order = (uint32_t)FIELD(event, order),
		.communicator = mpi_world_find(pass->world, event->experiment, FIELD(event, communicator)),
		.function = (uint16_t)FIELD(event, function),
		.kept = event->kept};
}

static void add_send(struct pass *pass, const struct message_event *event)
{
	struct mpi_half half = half_of(pass, event, FIELD(event, sent));
	struct mpi_route route =
		mpi_event_route(pass->world, event->batch, event->i, event->experiment, half.communicator, true);
	mpi_channels_send(pass->channels, &route, &half);
	pass->some = true;
}

typedef void take_half(struct mpi_channels *channels, const struct mpi_route *route, const struct mpi_half *half);

static void add_receive(struct pass *pass, const struct message_event *event, take_half *take)
{
	struct mpi_half half = half_of(pass, event, FIELD(event, received));
	struct mpi_route route =
		mpi_event_route(pass->world, event->batch, event->i, event->experiment, half.communicator, false);
	take(pass->channels, &route, &half);
}

static void add_event(struct pass *pass, const struct message_event *event)
{
	switch (FIELD(event, role)) {
	case STATE_VALUE(MPI, role, send):
		add_send(pass, event);
		break;
	case STATE_VALUE(MPI, role, sent):
		if (event->kept)
			mpi_channels_keep_send(pass->channels, event->experiment, (uint32_t)FIELD(event, order));
		break;
	case STATE_VALUE(MPI, role, receive):
		add_receive(pass, event, mpi_channels_receive);
		pass->some = true;
		break;
	case STATE_VALUE(MPI, role, post):
		add_receive(pass, event, mpi_channels_post);
		break;
	case STATE_VALUE(MPI, role, probe):
		add_receive(pass, event, mpi_channels_find);
		break;
	case STATE_VALUE(MPI, role, cancelled):
		mpi_channels_cancel(pass->channels, event->experiment, (uint32_t)FIELD(event, order));
		break;
	}
}

static void add_batch(void *context, const struct data_batch *batch, const bool *kept)
{
	struct pass *pass = context;
	const uint64_t *calls = batch->field[FIELD_INDEX(MPI, calls)];
	const uint64_t *duration = batch->field[FIELD_INDEX(MPI, duration)];
	const uint64_t *between = batch->field[FIELD_INDEX(MPI, between)];
	struct message_event event = {.batch = batch, .experiment = (uint32_t)(batch->experiment - pass->experiments)};
	for (event.i = 0; event.i < batch->count && !mpi_channels_is_late(pass->channels); event.i++) {
		uint32_t i = event.i;
		uint64_t time = batch->time[i];
		struct last_call *last = last_of(pass, event.experiment, batch->thread[i]);
		if (calls[i])
			*last = (struct last_call){time, time + duration[i] + between[i]};
		event.kept = !kept || kept[i];
		event.call = (struct last_call){time, last->end > time ? last->end : time};
		add_event(pass, &event);
	}
}

/* False: a side came too late. */
static bool read_events(struct data *data, const struct mpi_world *world, const struct event_filter *filter, bool hold,
	const struct mpi_message_reader *reader, bool *some)
{
	reader->begin(reader->context);
	struct pass pass = {.experiments = data->experiments,
		.world = world,
		.channels = mpi_channels_begin(hold, reader->visit, reader->context)};
	event_filter_mark_in_turn(data, KIND_MPI, filter, add_batch, &pass);
	bool late = mpi_channels_is_late(pass.channels);
	mpi_channels_end(pass.channels);
	number_map_free(&pass.threads);
	free(pass.last);
	*some = pass.some;
	return !late;
}

bool mpi_messages_visit(struct data *data, const struct mpi_world *world, const struct event_filter *filter,
	const struct mpi_message_reader *reader)
{
	bool some;
	/* Whether a nonblocking send is kept may be known only when it is complete. */
	bool hold = !event_filter_keeps_all(filter);
	if (!read_events(data, world, filter, hold, reader, &some))
		read_events(data, world, filter, true, reader, &some);
	return some;
}

int64_t mpi_message_latency(const struct mpi_message *message)
{
	const struct mpi_half *send = message->send, *receive = message->receive;
	bool posted = send && receive && receive->begin <= send->begin && send->begin <= receive->end;
	return posted ? (int64_t)(receive->end - send->begin) : -1;
}
