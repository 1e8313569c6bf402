/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass over the events in the order of time: what completes something comes after what began it. */
#include "mpi_trace.h"
#include "number_map.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

enum { POLLS_KEPT = 4 }; /* as many as the collector has open at once */

/* Calls that asked in vain, as one event. */
struct asked {
	uint64_t begin, end, inside;
	uint32_t key, stack, call; /* call: as below */
	uint16_t function;
	bool kept;
};
/* A thread's last call, whose further events do not repeat when it ended. */
struct last_call {
	uint64_t begin, end;
	uint32_t key, call;  /* call: index in the trace, NO_CALL as long as it did nothing that the trace has */
	uint32_t polls;      /* the call that asked in vain before it; NO_CALL: none did, or it is not looked for yet */
	uint32_t asked_next; /* number of the next in asked */
	bool asks;           /* it asked in vain itself */
	struct asked asked[POLLS_KEPT]; /* right before it; end 0: none */
};
/* A nonblocking collective operation was completed. */
struct part_end {
	uint64_t order;
	uint32_t communicator, experiment, call, polls;
	bool kept;
};
struct pass {
	struct mpi_trace *trace;
	const struct loaded_experiment *experiments;
	const struct metric_keys *keys;
	struct number_map threads; /* (experiment, thread) -> place in last */
	struct last_call *last;
	uint32_t last_count;
	struct number_map posts; /* (experiment, order) -> call that posted the receive */
	struct number_map sends; /* (experiment, order) -> send */
	struct part_end *ends;
	uint32_t end_count;
	bool **asking; /* by experiment and function: whether its calls may ask in vain */
	bool all_calls;
};
/* An event of a batch. */
struct event {
	const struct data_batch *batch;
	uint32_t i, experiment;
	struct last_call *last; /* its call */
	bool kept;
};
#define FIELD(event, name) ((event)->batch->field[FIELD_INDEX(MPI, name)][(event)->i])

static struct last_call *last_of(struct pass *pass, uint32_t experiment, uint32_t thread)
{
	uint32_t *place = number_map_place(&pass->threads, number_pair(experiment, thread));
	if (*place == NO_NUMBER) {
		pass->last = memory_room(pass->last, pass->last_count, sizeof *pass->last);
		pass->last[pass->last_count] = (struct last_call){.call = NO_CALL, .polls = NO_CALL};
		*place = pass->last_count++;
	}
	return &pass->last[*place];
}

static uint32_t call_of(struct pass *pass, const struct event *event)
{
	struct mpi_trace *trace = pass->trace;
	struct last_call *last = event->last;
	uint64_t begin = event->batch->time[event->i];
	/* Most calls of a run send and receive nothing: a call gets its row only when an event needs it, which keeps the trace
	   small. */
	if (last->call != NO_CALL)
		return last->call;
	trace->calls = memory_room(trace->calls, trace->call_count, sizeof *trace->calls);
	trace->calls[trace->call_count] = (struct mpi_trace_call){.begin = begin,
		.end = last->end > begin ? last->end : begin,
		.experiment = event->experiment,
		.thread = event->batch->thread[event->i],
		.key = last->key,
		.stack = event->batch->stack[event->i],
		.function = (uint16_t)FIELD(event, function)};
	return last->call = trace->call_count++;
}

static uint32_t add_asked(struct mpi_trace *trace, const struct asked *asked, const struct event *event)
{
	trace->calls = memory_room(trace->calls, trace->call_count, sizeof *trace->calls);
	trace->calls[trace->call_count] = (struct mpi_trace_call){.begin = asked->begin,
		.end = asked->end,
		.experiment = event->experiment,
		.thread = event->batch->thread[event->i],
		.key = asked->key,
		.stack = asked->stack,
		.function = asked->function,
		.kept = asked->kept};
	return trace->call_count++;
}

/* The calls that asked in vain from the same place until the event's call began, as a call of the trace. No other call of the
   thread was between. */
static uint32_t polls_of(struct pass *pass, const struct event *event)
{
	struct mpi_trace *trace = pass->trace;
	struct last_call *last = event->last;
	uint32_t stack = event->batch->stack[event->i];
	if (last->polls != NO_CALL)
		return last->polls;
	for (unsigned i = 0; i < POLLS_KEPT && last->polls == NO_CALL; i++) {
		struct asked *asked = &last->asked[i];
		if (!asked->end || asked->stack != stack || asked->end > last->begin)
			continue;
		if (asked->call == NO_CALL)
			asked->call = add_asked(trace, asked, event);
		trace->polls = memory_room(trace->polls, trace->polls_count, sizeof *trace->polls);
		trace->polls[trace->polls_count++] = (struct mpi_polls){asked->call, asked->inside};
		last->polls = asked->call;
	}
	return last->polls;
}

static struct mpi_side *add_side(struct mpi_side **sides, uint32_t *count, const struct pass *pass,
	const struct event *event, uint64_t bytes, uint32_t call)
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
		.polls = NO_CALL,
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

static void add_send(struct pass *pass, const struct event *event, uint64_t order)
{
	struct mpi_trace *trace = pass->trace;
	*number_map_place(&pass->sends, order) = trace->send_count;
	add_side(&trace->sends, &trace->send_count, pass, event, FIELD(event, sent), call_of(pass, event));
}

static void add_receive(struct pass *pass, const struct event *event, uint64_t order)
{
	struct mpi_trace *trace = pass->trace;
	uint32_t post = number_map_find(&pass->posts, order);
	struct mpi_side *side = add_side(
		&trace->receives, &trace->receive_count, pass, event, FIELD(event, received), call_of(pass, event));
	if (post != NO_CALL)
		side->start = post;
	side->polls = polls_of(pass, event);
}

static void add_probe(struct pass *pass, const struct event *event)
{
	struct mpi_trace *trace = pass->trace;
	uint32_t polls = polls_of(pass, event);
	add_side(&trace->probes, &trace->probe_count, pass, event, 0, call_of(pass, event))->polls = polls;
}

static void end_send(struct pass *pass, const struct event *event, uint64_t order)
{
	uint32_t send = number_map_find(&pass->sends, order);
	if (send == UINT32_MAX)
		return;
	struct mpi_side *side = &pass->trace->sends[send];
	side->completion = call_of(pass, event);
	side->polls = polls_of(pass, event);
	pass->trace->sends[send].kept |= event->kept;
}

static void add_part(struct pass *pass, const struct event *event)
{
	struct mpi_trace *trace = pass->trace;
	uint32_t communicator = mpi_world_find(trace->world, event->experiment, FIELD(event, communicator));
	if (communicator == NO_COMMUNICATOR)
		return;
	uint32_t call = call_of(pass, event);
	trace->parts = memory_room(trace->parts, trace->part_count, sizeof *trace->parts);
	trace->parts[trace->part_count++] = (struct mpi_part){.order = FIELD(event, order),
		.communicator = communicator,
		.root = (uint32_t)FIELD(event, peer),
		.start = call,
		.completion = call,
		.polls = NO_CALL,
		.sent = FIELD(event, sent),
		.received = FIELD(event, received),
		.kept = event->kept};
}

static void end_part(struct pass *pass, const struct event *event)
{
	uint32_t communicator = mpi_world_find(pass->trace->world, event->experiment, FIELD(event, communicator));
	if (communicator == NO_COMMUNICATOR)
		return;
	pass->ends = memory_room(pass->ends, pass->end_count, sizeof *pass->ends);
	pass->ends[pass->end_count++] = (struct part_end){FIELD(event, order), communicator, event->experiment,
		call_of(pass, event), polls_of(pass, event), event->kept};
}

static void add_event(struct pass *pass, const struct event *event)
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
	case STATE_VALUE(MPI, role, probe):
		add_probe(pass, event);
		break;
	case STATE_VALUE(MPI, role, post):
		*number_map_place(&pass->posts, order) = call_of(pass, event);
		break;
	case STATE_VALUE(MPI, role, sent):
		end_send(pass, event, order);
		break;
	case STATE_VALUE(MPI, role, collective):
		add_part(pass, event);
		break;
	case STATE_VALUE(MPI, role, completed):
		end_part(pass, event);
		break;
	}
}

/* An event of calls begins. */
static void begin_call(struct pass *pass, const struct event *event, uint64_t inside, uint64_t between, uint32_t key)
{
	struct last_call *last = event->last;
	uint64_t begin = event->batch->time[event->i], end = begin + inside + between,
		 function = FIELD(event, function);
	/* Few calls ask: the others have nothing to forget. */
	if (!last->asks && last->asked_next) {
		memset(last->asked, 0, sizeof last->asked);
		last->asked_next = 0;
	}
	last->begin = begin;
	last->end = end;
	last->key = key;
	last->call = last->polls = NO_CALL;
	last->asks = FIELD(event, role) == STATE_VALUE(MPI, role, none) &&
		     function < pass->experiments[event->experiment].file->mpi_function_count &&
		     pass->asking[event->experiment][function];
	if (pass->all_calls) {
		uint32_t call = call_of(pass, event);
		pass->trace->calls[call].kept = event->kept;
	}
	if (last->asks)
		last->asked[last->asked_next++ % POLLS_KEPT] = (struct asked){.begin = begin,
			.end = end,
			.inside = inside,
			.key = key,
			.stack = event->batch->stack[event->i],
			.call = last->call,
			.function = (uint16_t)function,
			.kept = event->kept};
}

static void add_batch(void *context, const struct data_batch *batch, const bool *kept)
{
	struct pass *pass = context;
	const uint64_t *calls = batch->field[FIELD_INDEX(MPI, calls)];
	const uint64_t *duration = batch->field[FIELD_INDEX(MPI, duration)];
	const uint64_t *between = batch->field[FIELD_INDEX(MPI, between)];
	const struct metric_keys *keys = pass->keys;
	const uint32_t *key = keys ? keys->of(keys->context, KIND_MPI, batch) : batch->stack;
	struct event event = {.batch = batch, .experiment = (uint32_t)(batch->experiment - pass->experiments)};
	for (event.i = 0; event.i < batch->count; event.i++) {
		uint32_t i = event.i;
		/* The numbers of calls are 32 bits wide, and the last one means "none"; an event may need two. */
		if (pass->trace->call_count >= NO_CALL - 2)
			return;
		event.kept = !kept || kept[i];
		event.last = last_of(pass, event.experiment, batch->thread[i]);
		if (calls[i])
			begin_call(pass, &event, duration[i], between[i], key[i]);
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
			part->polls = ends[e].polls;
			part->kept |= ends[e].kept;
		}
		p += order <= 0;
		e += order >= 0;
	}
}

static bool may_ask(const char *name)
{
	return strstr(name, "_Test") || strstr(name, "robe") || strstr(name, "_Win_test") ||
	       strstr(name, "_get_status");
}

static void find_asking(struct pass *pass, const struct data *data)
{
	pass->asking = memory_new(data->experiment_count, sizeof *pass->asking);
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct experiment *file = data->experiments[e].file;
		pass->asking[e] = memory_new(file->mpi_function_count, sizeof **pass->asking);
		for (unsigned f = 0; f < file->mpi_function_count; f++)
			pass->asking[e][f] = may_ask(file->mpi_functions[f].name);
	}
}

static int by_call(const void *left, const void *right)
{
	const struct mpi_polls *a = left, *b = right;
	return COMPARE(a->call, b->call);
}

static struct mpi_trace *read_events(
	struct data *data, const struct event_filter *filter, const struct metric_keys *keys, bool all_calls)
{
	struct mpi_trace *trace = memory_new(1, sizeof *trace);
	struct pass pass = {.trace = trace, .experiments = data->experiments, .keys = keys, .all_calls = all_calls};
	trace->world = mpi_world_read(data);
	find_asking(&pass, data);
	event_filter_mark_in_time(data, KIND_MPI, filter, add_batch, &pass);
	end_parts(trace, pass.ends, pass.end_count);
	if (trace->polls_count)
		qsort(trace->polls, trace->polls_count, sizeof *trace->polls, by_call);
	number_map_free(&pass.threads);
	number_map_free(&pass.posts);
	number_map_free(&pass.sends);
	for (uint32_t e = 0; e < data->experiment_count; e++)
		free(pass.asking[e]);
	free(pass.asking);
	free(pass.last);
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
	free(trace->probes);
	free(trace->parts);
	free(trace->polls);
	free(trace);
}
