/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects calls, puts them in order, and lets none overlap another in part. */
#include "traced_calls.h"
#include "mpi_messages.h"
#include "mpi_names.h"
#include "search.h"
#include "state_title.h"
#include "storage.h"
#include "variable_names.h"

#include <inttypes.h>
#include <stdlib.h>

struct reading {
	const struct data *data;
	struct traced_calls *calls;
	size_t capacity;
	enum kind kind;
};

static void add_call(struct reading *reading, const struct traced_call *call)
{
	memory_reserve(reading->calls->all, reading->calls->count, reading->capacity);
	reading->calls->all[reading->calls->count++] = *call;
}

static void add_batch(void *context, const struct data_batch *batch)
{
	struct reading *reading = context;
	bool io = reading->kind == KIND_IO;
	const uint64_t *duration = batch->field[io ? FIELD_INDEX(IO, duration) : FIELD_INDEX(SYNC, duration)];
	const uint64_t *what = batch->field[io ? FIELD_INDEX(IO, call) : FIELD_INDEX(SYNC, waited_for)];
	const uint64_t *error = batch->field[io ? FIELD_INDEX(IO, error) : FIELD_INDEX(SYNC, result)];
	for (uint32_t i = 0; i < batch->count; i++)
		add_call(reading,
			&(struct traced_call){.begin = batch->time[i] > duration[i] ? batch->time[i] - duration[i] : 0,
				.end = batch->time[i],
				.experiment = (uint32_t)(batch->experiment - reading->data->experiments),
				.thread = batch->thread[i],
				.stack = batch->stack[i],
				.kind = reading->kind,
				.what = (uint32_t)what[i],
				.file = io ? io_files_name(&batch->experiment->io_files,
						     batch->field[FIELD_INDEX(IO, file)][i])
					   : 0,
				.bytes = io ? batch->field[FIELD_INDEX(IO, bytes)][i] : 0,
				.object = io ? 0 : batch->field[FIELD_INDEX(SYNC, object)][i],
				.error = error[i]});
}

static void add_mpi(struct reading *reading)
{
	const struct mpi_trace *trace = reading->calls->mpi;
	for (uint32_t i = 0; i < trace->call_count; i++) {
		const struct mpi_trace_call *call = &trace->calls[i];
		if (call->kept)
			add_call(reading, &(struct traced_call){.begin = call->begin,
						  .end = call->end,
						  .experiment = call->experiment,
						  .thread = call->thread,
						  .stack = call->stack,
						  .kind = KIND_MPI,
						  .what = call->function});
	}
}

static int in_order(const void *a, const void *b)
{
	const struct traced_call *x = a, *y = b;
	return COMPARE(x->experiment, y->experiment) ?: COMPARE(x->thread, y->thread) ?: COMPARE(x->begin, y->begin) ?:
	       COMPARE(y->end, x->end) ?: COMPARE(y->kind, x->kind) ?: COMPARE(x->what, y->what) ?: COMPARE(x->stack, y->stack);
}

/* Times are rounded: a call that seems to end after the one that it is in ends with it. */
static void nest(struct traced_calls *calls)
{
	uint64_t *ends = 0; /* of the calls that the present one is in */
	uint32_t depth = 0, room = 0;
	for (size_t i = 0; i < calls->count; i++) {
		struct traced_call *call = &calls->all[i];
		if (i && (call->experiment != call[-1].experiment || call->thread != call[-1].thread))
			depth = 0;
		while (depth && ends[depth - 1] <= call->begin)
			depth--;
		if (depth && call->end > ends[depth - 1])
			call->end = ends[depth - 1];
		if (depth == room)
			ends = memory_resize(ends, room = room * 2 + 16, sizeof *ends);
		ends[depth++] = call->end;
	}
	free(ends);
}

struct traced_calls traced_calls_read(struct data *data, const struct event_filter *filter)
{
	static const enum kind kinds[] = {KIND_SYNC, KIND_IO};
	struct traced_calls calls = {.mpi = mpi_trace_read_calls(data, filter)};
	struct reading reading = {.data = data, .calls = &calls};
	add_mpi(&reading);
	for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		reading.kind = kinds[k];
		event_filter_visit(data, reading.kind, filter, add_batch, &reading);
	}
	if (calls.count)
		qsort(calls.all, calls.count, sizeof *calls.all, in_order);
	nest(&calls);
	mpi_messages_match(calls.mpi);
	return calls;
}

void traced_calls_free(struct traced_calls *calls)
{
	mpi_trace_free(calls->mpi);
	free(calls->all);
}

const char *traced_call_name(const struct session *session, const struct traced_call *call)
{
	if (call->kind == KIND_MPI)
		return mpi_function_name(session, call->experiment, call->what);
	return call->kind == KIND_IO ? state_title(KIND_IO, "call", call->what)
				     : state_title(KIND_SYNC, "waited_for", call->what);
}

const char *traced_call_object(struct session *session, struct table *table, const struct traced_call *call)
{
	const struct loaded_experiment *loaded = &session->data->experiments[call->experiment];
	if (call->kind == KIND_IO)
		return data_io_file(session->data, call->file);
	if (call->kind != KIND_SYNC)
		return 0;
	const char *variable = variable_name_at(session, table, loaded->number, call->object);
	return variable ? variable : table_text(table, "0x%" PRIx64, call->object);
}
