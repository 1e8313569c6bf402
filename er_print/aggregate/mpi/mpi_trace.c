/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass over the events in the order of time: what completes something comes after what began it. */
#include "mpi_trace_calls.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

/* A nonblocking collective operation was completed. */
struct part_end {
	uint64_t order;
	uint32_t communicator, experiment, call;
	bool kept;
};
struct pass {
	struct mpi_trace *trace;
	struct mpi_callers callers;
	const struct metric_keys *keys;
	struct number_map posts; /* (experiment, order) -> call that posted the receive */
	struct number_map sends; /* (experiment, order) -> send */
	struct part_end *ends;
	uint32_t end_count;
};
static struct mpi_side *add_side(struct mpi_side **sides, uint32_t *count, const struct pass *pass,
	const struct mpi_trace_event *event, uint64_t bytes, uint32_t call)
{
	const struct mpi_world *world = pass->trace->world;
	uint32_t communicator = mpi_world_find(world, event->experiment, FIELD(event, communicator));
	*sides = memory_room(*sides, *count, sizeof **sides);
	struct mpi_side *side = &(*sides)[(*count)++];
	*side = (struct mpi_side){.bytes = bytes,
		.order = FIELD(event, order),
		.start = call,
		.completion = call,
		.peer = NO_EXPERIMENT,
		.peer_rank = (uint32_t)FIELD(event, peer),
		.communicator = communicator,
		.pair = NO_COMMUNICATOR,
		.tag = (uint32_t)FIELD(event, tag),
		.partner = NO_MESSAGE,
		.kept = event->kept};
	if (communicator != NO_COMMUNICATOR) {
		const struct mpi_communicator *own = mpi_world_communicator(world, communicator);
		if (own->peers != NO_COMMUNICATOR)
			side->peer = mpi_world_member(world, own->peers, FIELD(event, peer));
		if (side->peer != NO_EXPERIMENT)
			side->pair = own->pair;
	}
	return side;
}

static void add_send(struct pass *pass, const struct mpi_trace_event *event, uint64_t order)
{
	struct mpi_trace *trace = pass->trace;
	*number_map_place(&pass->sends, order) = trace->send_count;
	add_side(
		&trace->sends, &trace->send_count, pass, event, FIELD(event, sent), mpi_call_of(&pass->callers, event));
}

static void add_receive(struct pass *pass, const struct mpi_trace_event *event, uint64_t order)
{
	struct mpi_trace *trace = pass->trace;
	uint32_t post = number_map_find(&pass->posts, order);
	struct mpi_side *side = add_side(&trace->receives, &trace->receive_count, pass, event, FIELD(event, received),
		mpi_call_of(&pass->callers, event));
	if (post != NO_CALL)
		side->start = post;
	mpi_polls_of(&pass->callers, event);
}

static void end_send(struct pass *pass, const struct mpi_trace_event *event, uint64_t order)
{
	uint32_t send = number_map_find(&pass->sends, order);
	if (send == UINT32_MAX)
		return;
	struct mpi_side *side = &pass->trace->sends[send];
	side->completion = mpi_call_of(&pass->callers, event);
	mpi_polls_of(&pass->callers, event);
	pass->trace->sends[send].kept |= event->kept;
}

static void add_part(struct pass *pass, const struct mpi_trace_event *event)
{
	struct mpi_trace *trace = pass->trace;
	uint32_t communicator = mpi_world_find(trace->world, event->experiment, FIELD(event, communicator));
	if (communicator == NO_COMMUNICATOR)
		return;
	uint32_t call = mpi_call_of(&pass->callers, event);
	trace->parts = memory_room(trace->parts, trace->part_count, sizeof *trace->parts);
	trace->parts[trace->part_count++] = (struct mpi_part){.order = FIELD(event, order),
		.communicator = communicator,
		.root = (uint32_t)FIELD(event, peer),
		.start = call,
		.completion = call,
		.sent = FIELD(event, sent),
		.received = FIELD(event, received),
		.kept = event->kept};
}

static void end_part(struct pass *pass, const struct mpi_trace_event *event)
{
	uint32_t communicator = mpi_world_find(pass->trace->world, event->experiment, FIELD(event, communicator));
	if (communicator == NO_COMMUNICATOR)
		return;
	pass->ends = memory_room(pass->ends, pass->end_count, sizeof *pass->ends);
	pass->ends[pass->end_count++] = (struct part_end){
		FIELD(event, order), communicator, event->experiment, mpi_call_of(&pass->callers, event), event->kept};
	mpi_polls_of(&pass->callers, event);
}

static void add_event(struct pass *pass, const struct mpi_trace_event *event)
{
	/* Orders count from 0 in each process; the number of events bounds them. */
	uint64_t order = number_pair(event->experiment, (uint32_t)FIELD(event, order));
	switch (FIELD(event, role)) {
	case STATE_VALUE(MPI, role, send):
		add_send(pass, event, order);
		break;
	case STATE_VALUE(MPI, role, receive):
		add_receive(pass, event, order);
		break;
	case STATE_VALUE(MPI, role, post):
		*number_map_place(&pass->posts, order) = mpi_call_of(&pass->callers, event);
		break;
	case STATE_VALUE(MPI, role, sent):
		end_send(pass, event, order);
		break;
	case STATE_VALUE(MPI, role, probe):
	case STATE_VALUE(MPI, role, await):
		mpi_call_of(&pass->callers, event);
		mpi_polls_of(&pass->callers, event);
		break;
	case STATE_VALUE(MPI, role, signal):
		mpi_call_of(&pass->callers, event);
		break;
	case STATE_VALUE(MPI, role, lock):
	case STATE_VALUE(MPI, role, flush):
	case STATE_VALUE(MPI, role, unlock):
		if (mpi_world_find(pass->trace->world, event->experiment, FIELD(event, communicator)) !=
			NO_COMMUNICATOR)
			mpi_call_of(&pass->callers, event);
		break;
	case STATE_VALUE(MPI, role, collective):
		add_part(pass, event);
		break;
	case STATE_VALUE(MPI, role, completed):
		end_part(pass, event);
		break;
	}
}

static void add_batch(void *context, const struct data_batch *batch, const bool *kept)
{
	struct pass *pass = context;
	const uint64_t *calls = batch->field[FIELD_INDEX(MPI, calls)];
	const uint64_t *duration = batch->field[FIELD_INDEX(MPI, duration)];
	const uint64_t *between = batch->field[FIELD_INDEX(MPI, between)];
	const struct metric_keys *keys = pass->keys;
	const uint32_t *key = keys ? keys->of(keys->context, KIND_MPI, batch) : batch->stack;
	struct mpi_trace_event event = {
		.batch = batch, .experiment = (uint32_t)(batch->experiment - pass->callers.experiments)};
	for (event.i = 0; event.i < batch->count; event.i++) {
		uint32_t i = event.i;
		/* The numbers of calls are 32 bits wide, and the last one means "none"; an event may need two. */
		if (pass->trace->call_count >= NO_CALL - 2)
			return;
		event.kept = !kept || kept[i];
		event.last = mpi_callers_last(&pass->callers, event.experiment, batch->thread[i]);
		if (calls[i])
			mpi_call_begins(&pass->callers, &event, duration[i], between[i], key[i]);
		add_event(pass, &event);
	}
}

static int compare_places(uint32_t communicator, uint64_t order, uint32_t experiment, uint32_t other_communicator,
	uint64_t other_order, uint32_t other_experiment)
{
	return COMPARE(communicator, other_communicator) ?: COMPARE(order, other_order) ?: COMPARE(experiment, other_experiment);
}

static int by_operation(const void *left, const void *right, void *context)
{
	const struct mpi_part *a = left, *b = right;
	const struct mpi_trace_call *calls = context;
	int order = compare_places(a->communicator, a->order, calls[a->start].experiment, b->communicator, b->order,
		calls[b->start].experiment);
	return order ?: COMPARE(a->start, b->start);
}

static int by_ended_operation(const void *left, const void *right)
{
	const struct part_end *a = left, *b = right;
	int order = compare_places(a->communicator, a->order, a->experiment, b->communicator, b->order, b->experiment);
	return order ?: COMPARE(a->call, b->call);
}

/* Sorts the parts, and tells them where they were completed. */
static void end_parts(struct mpi_trace *trace, struct part_end *ends, uint32_t end_count)
{
	uint32_t p = 0, e = 0;
	if (trace->part_count)
		qsort_r(trace->parts, trace->part_count, sizeof *trace->parts, by_operation, trace->calls);
	if (end_count)
		qsort(ends, end_count, sizeof *ends, by_ended_operation);
	while (p < trace->part_count && e < end_count) {
		struct mpi_part *part = &trace->parts[p];
		int order = compare_places(part->communicator, part->order, trace->calls[part->start].experiment,
			ends[e].communicator, ends[e].order, ends[e].experiment);
		if (!order) {
			part->completion = ends[e].call;
			part->kept |= ends[e].kept;
		}
		p += order <= 0;
		e += order >= 0;
	}
}

static struct mpi_trace *read_events(
	struct data *data, const struct event_filter *filter, const struct metric_keys *keys, bool all_calls)
{
	struct mpi_trace *trace = memory_new(1, sizeof *trace);
	struct pass pass = {.trace = trace, .callers = mpi_callers_begin(trace, data, all_calls), .keys = keys};
	trace->world = mpi_world_read(data);
	event_filter_mark_in_time(data, KIND_MPI, filter, add_batch, &pass);
	end_parts(trace, pass.ends, pass.end_count);
	number_map_free(&pass.posts);
	number_map_free(&pass.sends);
	mpi_callers_free(&pass.callers);
	free(pass.ends);
	return trace;
}

struct mpi_trace *mpi_trace_read(struct data *data, const struct event_filter *filter, const struct metric_keys *keys)
{
	return read_events(data, filter, keys, false);
}

struct mpi_trace *mpi_trace_read_calls(struct data *data, const struct event_filter *filter)
{
	return read_events(data, filter, 0, true);
}

void mpi_trace_free(struct mpi_trace *trace)
{
	if (!trace)
		return;
	mpi_world_free(trace->world);
	free(trace->calls);
	free(trace->sends);
	free(trace->receives);
	free(trace->parts);
	free(trace);
}
