/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls of a trace while its events are read: what each thread did last, and which calls asked in vain before. For the files
   that make up mpi_trace.h. */
#ifndef MPI_TRACE_CALLS_H
#define MPI_TRACE_CALLS_H

#include "mpi_function_roles.h"
#include "mpi_trace.h"
#include "number_map.h"

struct last_call;
struct mpi_callers {
	struct mpi_trace *trace;
	const struct loaded_experiment *experiments;
	struct number_map threads; /* (experiment, thread) -> place in last */
	struct last_call *last;
	uint32_t last_count;
	struct mpi_function_roles roles;
	bool all_calls;
};
/* An event of a batch. */
struct mpi_trace_event {
	const struct data_batch *batch;
	uint32_t i, experiment;
	struct last_call *last; /* its call; void when the next event's is asked for */
	bool kept;
};
#define FIELD(event, name) ((event)->batch->field[FIELD_INDEX(MPI, name)][(event)->i])

/* The trace is empty. The caller frees the result's parts. */
struct mpi_callers mpi_callers_begin(struct mpi_trace *trace, const struct data *data, bool all_calls);
void mpi_callers_free(struct mpi_callers *callers);
/* The thread's last call, which the event is of. */
struct last_call *mpi_callers_last(struct mpi_callers *callers, uint32_t experiment, uint32_t thread);
/* An event of calls begins: ns in them and between them, key of the trace. */
void mpi_call_begins(struct mpi_callers *callers, const struct mpi_trace_event *event, uint64_t inside,
	uint64_t between, uint32_t key);
/* The event's call in the trace. */
uint32_t mpi_call_of(struct mpi_callers *callers, const struct mpi_trace_event *event);
/* Puts the calls that asked in vain from the same place until the event's call began into the trace, as one. No other call of the
   thread was between. */
void mpi_polls_of(struct mpi_callers *callers, const struct mpi_trace_event *event);

#endif
