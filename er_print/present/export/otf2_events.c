/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of one location. */
#include "mpi_names.h"
#include "otf2_export.h"
#include "storage.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct writing {
	struct otf2_export *export;
	OTF2_EvtWriter *writer;
	uint32_t experiment;
	uint32_t context;  /* where the thread was last; NO_CONTEXT */
	uint32_t call;     /* the context of the MPI call that it is in, or NO_CONTEXT */
	uint64_t time;     /* of the record that is written */
	uint32_t *pending; /* one-sided operations that are not known to be complete, of the trace's transfers */
	uint32_t pending_count;
};

enum { REQUEST_SEND, REQUEST_RECEIVE, REQUEST_PART, REQUEST_TRANSFER, REQUEST_KINDS };

static uint64_t request(uint32_t what, unsigned kind)
{
	return (uint64_t)what * REQUEST_KINDS + kind;
}

const struct otf2_collective *otf2_collective_find(const char *function)
{
	static const struct otf2_collective collectives[] = {
#define COLLECTIVE(name, operation, role, rooted)                                                                      \
	{name, OTF2_COLLECTIVE_OP_##operation, OTF2_REGION_ROLE_##role, rooted},
#include "otf2_collectives.def"
	};
	static const char *const endings[] = {"_init_c", "_init", "_c"};
	char name[64];
	size_t size = 0;
	if (strncmp(function, "MPI_", 4) != 0)
		return 0;
	function += 4;
	function += function[0] == 'I' && islower((unsigned char)function[1]);
	for (; function[size] && size < sizeof name - 1; size++)
		name[size] = (char)tolower((unsigned char)function[size]);
	name[size] = 0;
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		size_t length = strlen(endings[i]);
		if (size > length && !strcmp(name + size - length, endings[i])) {
			name[size - length] = 0;
			break;
		}
	}
	for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
		if (!strcmp(collectives[i].name, name))
			return &collectives[i];
	return 0;
}

static const char *name_of(const struct writing *w, const struct mpi_trace_call *call)
{
	return mpi_function_name(w->export->session, call->experiment, call->function);
}

/* How many contexts were entered since the last event, and 1 (OTF2: CallingContext). */
static uint32_t unwind_distance(const struct writing *w, uint32_t context)
{
	const struct calling_contexts *contexts = w->export->contexts;
	uint32_t common = NO_CONTEXT;
	if (w->context != NO_CONTEXT)
		common = calling_context_common(contexts, context, w->context);
	return contexts->nodes[context].depth - (common == NO_CONTEXT ? 0 : contexts->nodes[common].depth) + 1;
}

static void write_enter(struct writing *w, const struct mpi_trace_call *call)
{
	const struct experiment *file = w->export->session->data->experiments[call->experiment].file;
	const char *class = call->function < file->mpi_function_count ? file->mpi_functions[call->function].class : "";
	uint32_t context = calling_context_of_call(w->export->contexts, call->stack, name_of(w, call), class);
	OTF2_EvtWriter_CallingContextEnter(w->writer, 0, w->time, context, unwind_distance(w, context));
	w->context = w->call = context;
}

static void write_leave(struct writing *w)
{
	if (w->call == NO_CONTEXT)
		return;
	OTF2_EvtWriter_CallingContextLeave(w->writer, 0, w->time, w->call);
	w->context = w->export->contexts->nodes[w->call].parent;
	w->call = NO_CONTEXT;
}

static void write_sample(struct writing *w, const struct timeline_record *record)
{
	struct calling_contexts *contexts = w->export->contexts;
	uint32_t context = calling_context_of_stack(contexts, record->what);
	/* A stack that was cut short, or does not show the call's caller. */
	if (w->call != NO_CONTEXT &&
		(context == NO_CONTEXT || calling_context_common(contexts, context, w->call) != w->call))
		context = w->call;
	if (context == NO_CONTEXT)
		return;
	OTF2_EvtWriter_CallingContextSample(w->writer, 0, w->time, context, unwind_distance(w, context),
		otf2_generator_find(w->export, w->experiment, record->counter));
	w->context = context;
}

static void write_send(struct writing *w, const struct timeline_record *record)
{
	const struct mpi_side *send = &w->export->timeline->trace->sends[record->what];
	OTF2_CommRef communicator = otf2_communicator(w->export, send->communicator);
	uint64_t number = request(record->what, REQUEST_SEND);
	if (record->type == TIMELINE_SEND)
		OTF2_EvtWriter_MpiSend(w->writer, 0, w->time, send->peer_rank, communicator, send->tag, send->bytes);
	else if (record->type == TIMELINE_SEND_BEGIN)
		OTF2_EvtWriter_MpiIsend(
			w->writer, 0, w->time, send->peer_rank, communicator, send->tag, send->bytes, number);
	else
		OTF2_EvtWriter_MpiIsendComplete(w->writer, 0, w->time, number);
}

static void write_receive(struct writing *w, const struct timeline_record *record)
{
	const struct mpi_side *receive = &w->export->timeline->trace->receives[record->what];
	OTF2_CommRef communicator = otf2_communicator(w->export, receive->communicator);
	uint64_t number = request(record->what, REQUEST_RECEIVE);
	if (record->type == TIMELINE_RECEIVE)
		OTF2_EvtWriter_MpiRecv(
			w->writer, 0, w->time, receive->peer_rank, communicator, receive->tag, receive->bytes);
	else if (record->type == TIMELINE_RECEIVE_BEGIN)
		OTF2_EvtWriter_MpiIrecvRequest(w->writer, 0, w->time, number);
	else
		OTF2_EvtWriter_MpiIrecv(
			w->writer, 0, w->time, receive->peer_rank, communicator, receive->tag, receive->bytes, number);
}

static void write_part(struct writing *w, const struct timeline_record *record)
{
	const struct mpi_trace *trace = w->export->timeline->trace;
	const struct mpi_part *part = &trace->parts[record->what];
	const struct otf2_collective *collective = otf2_collective_find(name_of(w, &trace->calls[part->start]));
	uint64_t number = request(record->what, REQUEST_PART);
	if (!collective)
		return;
	OTF2_CommRef communicator = otf2_communicator(w->export, part->communicator);
	uint32_t root = collective->rooted ? part->root : OTF2_UNDEFINED_UINT32;
	if (record->type == TIMELINE_COLLECTIVE_BEGIN)
		OTF2_EvtWriter_MpiCollectiveBegin(w->writer, 0, w->time);
	else if (record->type == TIMELINE_COLLECTIVE_END)
		OTF2_EvtWriter_MpiCollectiveEnd(
			w->writer, 0, w->time, collective->operation, communicator, root, part->sent, part->received);
	else if (record->type == TIMELINE_PART_BEGIN)
		OTF2_EvtWriter_NonBlockingCollectiveRequest(w->writer, 0, w->time, number);
	else
		OTF2_EvtWriter_NonBlockingCollectiveComplete(w->writer, 0, w->time, collective->operation, communicator,
			root, part->sent, part->received, number);
}

static void write_transfer(struct writing *w, const struct timeline_record *record)
{
	const struct mpi_trace *trace = w->export->timeline->trace;
	const struct mpi_transfer *transfer = &trace->transfers[record->what];
	const char *function = name_of(w, &trace->calls[transfer->call]);
	uint64_t number = request(record->what, REQUEST_TRANSFER);
	bool begins = record->type == TIMELINE_TRANSFER_BEGIN;
	/* One of the two calls of a split transfer has all bytes. */
	bool half = strstr(function, "_begin") || strstr(function, "_end");
	if (transfer->file && half && !transfer->sent && !transfer->received)
		return;
	if (transfer->file) {
		(begins ? otf2_begin_file_transfer : otf2_end_file_transfer)(
			w->export, w->writer, w->time, transfer, function, number);
		return;
	}
	if (!begins)
		return;
	otf2_write_remote(w->export, w->writer, w->time, transfer, function, number);
	w->pending = memory_room(w->pending, w->pending_count, sizeof *w->pending);
	w->pending[w->pending_count++] = record->what;
}

static void complete_remote(struct writing *w, const struct mpi_trace_call *call)
{
	if (!w->pending_count || !otf2_completes_remote(name_of(w, call)))
		return;
	for (uint32_t i = 0; i < w->pending_count; i++)
		OTF2_EvtWriter_RmaOpCompleteRemote(w->writer, 0, w->time,
			otf2_opened(w->export, &w->export->timeline->trace->transfers[w->pending[i]]),
			request(w->pending[i], REQUEST_TRANSFER));
	free(w->pending);
	w->pending = 0;
	w->pending_count = 0;
}

static void write_record(struct writing *w, const struct timeline_record *record)
{
	switch (record->type) {
	case TIMELINE_ENTER:
		write_enter(w, &w->export->timeline->trace->calls[record->what]);
		break;
	case TIMELINE_LEAVE:
		complete_remote(w, &w->export->timeline->trace->calls[record->what]);
		write_leave(w);
		break;
	case TIMELINE_SAMPLE:
		write_sample(w, record);
		break;
	case TIMELINE_SEND:
	case TIMELINE_SEND_BEGIN:
	case TIMELINE_SEND_END:
		write_send(w, record);
		break;
	case TIMELINE_RECEIVE:
	case TIMELINE_RECEIVE_BEGIN:
	case TIMELINE_RECEIVE_END:
		write_receive(w, record);
		break;
	case TIMELINE_TRANSFER_BEGIN:
	case TIMELINE_TRANSFER_END:
		write_transfer(w, record);
		break;
	case TIMELINE_COLLECTIVE_BEGIN:
	case TIMELINE_COLLECTIVE_END:
	case TIMELINE_PART_BEGIN:
	case TIMELINE_PART_END:
		write_part(w, record);
		break;
	}
}

void otf2_write_events(struct otf2_export *export, uint32_t location)
{
	const struct timeline_location *own = &export->timeline->locations[location];
	struct writing w = {.export = export,
		.writer = OTF2_Archive_GetEvtWriter(export->archive, location),
		.experiment = own->experiment,
		.context = NO_CONTEXT,
		.call = NO_CONTEXT};
	if (!w.writer)
		return;
	for (uint32_t i = own->first; i < own->first + own->count; i++) {
		const struct timeline_record *record = &export->timeline->records[i];
		w.time = record->time + export->times.shift[own->experiment];
		write_record(&w, record);
		export->end = w.time > export->end ? w.time : export->end;
	}
	free(w.pending);
	OTF2_EvtWriter_GetNumberOfEvents(w.writer, &export->events[location]);
	OTF2_Archive_CloseEvtWriter(export->archive, w.writer);
}
