/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A call gets its row when an event needs it. */
#include "mpi_trace_calls.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

enum { POLLS_KEPT = 4 }; /* as many as the collector has open at once */

/* Calls that asked in vain, as one event. */
struct asked {
	uint64_t begin, end;
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

struct mpi_callers mpi_callers_begin(struct mpi_trace *trace, const struct data *data, bool all_calls)
{
	return (struct mpi_callers){.trace = trace,
		.experiments = data->experiments,
		.roles = mpi_function_roles_read(data),
		.all_calls = all_calls};
}

void mpi_callers_free(struct mpi_callers *callers)
{
	mpi_function_roles_free(&callers->roles);
	free(callers->last);
	number_map_free(&callers->threads);
}

struct last_call *mpi_callers_last(struct mpi_callers *callers, uint32_t experiment, uint32_t thread)
{
	uint32_t *place = number_map_place(&callers->threads, number_pair(experiment, thread));
	if (*place == NO_NUMBER) {
		callers->last = memory_room(callers->last, callers->last_count, sizeof *callers->last);
		callers->last[callers->last_count] = (struct last_call){.call = NO_CALL, .polls = NO_CALL};
		*place = callers->last_count++;
	}
	return &callers->last[*place];
}

uint32_t mpi_call_of(struct mpi_callers *callers, const struct mpi_trace_event *event)
{
	struct mpi_trace *trace = callers->trace;
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
		.function = (uint16_t)FIELD(event, function),
		.kept = event->kept};
	return last->call = trace->call_count++;
}

static uint32_t add_asked(struct mpi_trace *trace, const struct asked *asked, const struct mpi_trace_event *event)
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

void mpi_polls_of(struct mpi_callers *callers, const struct mpi_trace_event *event)
{
	struct mpi_trace *trace = callers->trace;
	struct last_call *last = event->last;
	uint32_t stack = event->batch->stack[event->i];
	if (last->polls != NO_CALL)
		return;
	for (unsigned i = 0; i < POLLS_KEPT && last->polls == NO_CALL; i++) {
		struct asked *asked = &last->asked[i];
		if (!asked->end || asked->stack != stack || asked->end > last->begin)
			continue;
		if (asked->call == NO_CALL)
			asked->call = add_asked(trace, asked, event);
		last->polls = asked->call;
	}
}

void mpi_call_begins(struct mpi_callers *callers, const struct mpi_trace_event *event, uint64_t inside,
	uint64_t between, uint32_t key)
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
		     mpi_function_role(&callers->roles, event->experiment, function).asks;
	if (callers->all_calls) {
		uint32_t call = mpi_call_of(callers, event);
		callers->trace->calls[call].kept = event->kept;
	}
	if (last->asks)
		last->asked[last->asked_next++ % POLLS_KEPT] = (struct asked){.begin = begin,
			.end = end,
			.key = key,
			.stack = event->batch->stack[event->i],
			.call = last->call,
			.function = (uint16_t)function,
			.kept = event->kept};
}
