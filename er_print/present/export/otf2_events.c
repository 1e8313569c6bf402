/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of all locations, some of one experiment at a time. */
#include "mpi_names.h"
#include "otf2_export.h"
#include "storage.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A location while its events are written. */
struct writing {
	OTF2_EvtWriter *writer;
	uint32_t context; /* where the thread was last; NO_CONTEXT */
	uint32_t call;    /* the context of the MPI call that it is in, or NO_CONTEXT */
	uint64_t time;    /* of the record that is written */
	struct pending {
		OTF2_RmaWinRef window;
		uint64_t request;
	} * pending; /* one-sided operations that are not known to be complete */
	uint32_t pending_count, pending_capacity;
};
/* Locations of an experiment: as many as may be open at a time, of which each has an EVENT_CHUNK. */
struct pass {
	struct otf2_export *export;
	uint32_t experiment, first, count;
	struct writing *all;
};
enum { OPEN_AT_ONCE = 128 };

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

static const char *name_of(const struct pass *pass, const struct timeline_record *record)
{
	return mpi_function_name(pass->export->session, pass->experiment, record->function);
}

/* How many contexts were entered since the last event, and 1 (OTF2: CallingContext). */
static uint32_t unwind_distance(const struct pass *pass, const struct writing *w, uint32_t context)
{
	const struct calling_contexts *contexts = pass->export->contexts;
	uint32_t common = NO_CONTEXT;
	if (w->context != NO_CONTEXT)
		common = calling_context_common(contexts, context, w->context);
	return contexts->nodes[context].depth - (common == NO_CONTEXT ? 0 : contexts->nodes[common].depth) + 1;
}

static void write_enter(struct pass *pass, struct writing *w, const struct timeline_record *record)
{
	const struct experiment *file = pass->export->session->data->experiments[pass->experiment].file;
	const char *class =
		record->function < file->mpi_function_count ? file->mpi_functions[record->function].class : "";
	uint32_t context = calling_context_of_call(pass->export->contexts, record->stack, name_of(pass, record), class);
	OTF2_EvtWriter_CallingContextEnter(w->writer, 0, w->time, context, unwind_distance(pass, w, context));
	w->context = w->call = context;
}

static void complete_remote(struct pass *pass, struct writing *w, const struct timeline_record *record)
{
	if (!w->pending_count || !otf2_completes_remote(name_of(pass, record)))
		return;
	for (uint32_t i = 0; i < w->pending_count; i++)
		OTF2_EvtWriter_RmaOpCompleteRemote(w->writer, 0, w->time, w->pending[i].window, w->pending[i].request);
	w->pending_count = 0;
}

static void write_leave(struct pass *pass, struct writing *w)
{
	if (w->call == NO_CONTEXT)
		return;
	OTF2_EvtWriter_CallingContextLeave(w->writer, 0, w->time, w->call);
	w->context = pass->export->contexts->nodes[w->call].parent;
	w->call = NO_CONTEXT;
}

static void write_sample(struct pass *pass, struct writing *w, const struct timeline_record *record)
{
	struct calling_contexts *contexts = pass->export->contexts;
	uint32_t context = calling_context_of_stack(contexts, record->stack);
	/* A stack that was cut short, or does not show the call's caller. */
	if (w->call != NO_CONTEXT &&
		(context == NO_CONTEXT || calling_context_common(contexts, context, w->call) != w->call))
		context = w->call;
	if (context == NO_CONTEXT)
		return;
	OTF2_EvtWriter_CallingContextSample(w->writer, 0, w->time, context, unwind_distance(pass, w, context),
		otf2_generator_find(pass->export, pass->experiment, record->counter));
	w->context = context;
}

static void write_message(struct pass *pass, struct writing *w, const struct timeline_record *record)
{
	OTF2_CommRef communicator = otf2_communicator(pass->export, record->communicator);
	switch (record->type) {
	case TIMELINE_SEND:
		OTF2_EvtWriter_MpiSend(w->writer, 0, w->time, record->peer, communicator, record->tag, record->sent);
		break;
	case TIMELINE_SEND_BEGIN:
		OTF2_EvtWriter_MpiIsend(
			w->writer, 0, w->time, record->peer, communicator, record->tag, record->sent, record->request);
		break;
	case TIMELINE_SEND_END:
		OTF2_EvtWriter_MpiIsendComplete(w->writer, 0, w->time, record->request);
		break;
	case TIMELINE_RECEIVE:
		OTF2_EvtWriter_MpiRecv(
			w->writer, 0, w->time, record->peer, communicator, record->tag, record->received);
		break;
	case TIMELINE_RECEIVE_BEGIN:
		OTF2_EvtWriter_MpiIrecvRequest(w->writer, 0, w->time, record->request);
		break;
	case TIMELINE_RECEIVE_CANCELLED:
		OTF2_EvtWriter_MpiRequestCancelled(w->writer, 0, w->time, record->request);
		break;
	default:
		OTF2_EvtWriter_MpiIrecv(w->writer, 0, w->time, record->peer, communicator, record->tag,
			record->received, record->request);
		break;
	}
}

static void write_collective(struct pass *pass, struct writing *w, const struct timeline_record *record)
{
	const struct otf2_collective *collective = otf2_collective_find(name_of(pass, record));
	if (!collective)
		return;
	OTF2_CommRef communicator = otf2_communicator(pass->export, record->communicator);
	uint32_t root = collective->rooted ? record->peer : OTF2_UNDEFINED_UINT32;
	if (record->type == TIMELINE_COLLECTIVE_BEGIN)
		OTF2_EvtWriter_MpiCollectiveBegin(w->writer, 0, w->time);
	else if (record->type == TIMELINE_COLLECTIVE_END)
		OTF2_EvtWriter_MpiCollectiveEnd(w->writer, 0, w->time, collective->operation, communicator, root,
			record->sent, record->received);
	else if (record->type == TIMELINE_PART_BEGIN)
		OTF2_EvtWriter_NonBlockingCollectiveRequest(w->writer, 0, w->time, record->request);
	else
		OTF2_EvtWriter_NonBlockingCollectiveComplete(w->writer, 0, w->time, collective->operation, communicator,
			root, record->sent, record->received, record->request);
}

static void write_file_transfer(struct pass *pass, struct writing *w, const struct timeline_record *record)
{
	const char *function = name_of(pass, record);
	/* One of the two calls of a split transfer has all bytes. */
	bool half = strstr(function, "_begin") || strstr(function, "_end");
	if (half && !record->sent && !record->received)
		return;
	(record->type == TIMELINE_FILE_BEGIN ? otf2_begin_file_transfer : otf2_end_file_transfer)(
		pass->export, w->writer, w->time, record, function);
}

static void write_remote(struct pass *pass, struct writing *w, const struct timeline_record *record)
{
	otf2_write_remote(pass->export, w->writer, w->time, record, name_of(pass, record));
	memory_reserve(w->pending, w->pending_count, w->pending_capacity);
	w->pending[w->pending_count++] = (struct pending){
		otf2_opened(pass->export, record->communicator, record->opened, false), record->request};
}

static void write_record(struct pass *pass, struct writing *w, const struct timeline_record *record)
{
	switch (record->type) {
	case TIMELINE_ENTER:
		write_enter(pass, w, record);
		break;
	case TIMELINE_LEAVE:
		complete_remote(pass, w, record);
		write_leave(pass, w);
		break;
	case TIMELINE_SAMPLE:
		write_sample(pass, w, record);
		break;
	case TIMELINE_SEND:
	case TIMELINE_SEND_BEGIN:
	case TIMELINE_SEND_END:
	case TIMELINE_RECEIVE:
	case TIMELINE_RECEIVE_BEGIN:
	case TIMELINE_RECEIVE_END:
	case TIMELINE_RECEIVE_CANCELLED:
		write_message(pass, w, record);
		break;
	case TIMELINE_REMOTE:
		write_remote(pass, w, record);
		break;
	case TIMELINE_FILE_BEGIN:
	case TIMELINE_FILE_END:
		write_file_transfer(pass, w, record);
		break;
	case TIMELINE_COLLECTIVE_BEGIN:
	case TIMELINE_COLLECTIVE_END:
	case TIMELINE_PART_BEGIN:
	case TIMELINE_PART_END:
		write_collective(pass, w, record);
		break;
	}
}

static void write_of_pass(void *context, const struct timeline_record *record)
{
	struct pass *pass = context;
	struct otf2_export *export = pass->export;
	if (record->location - pass->first >= pass->count)
		return;
	struct writing *w = &pass->all[record->location - pass->first];
	if (!w->writer)
		return;
	w->time = record->time + export->times.shift[pass->experiment];
	write_record(pass, w, record);
	export->end = w->time > export->end ? w->time : export->end;
}

static void write_pass(struct pass *pass)
{
	struct otf2_export *export = pass->export;
	pass->all = memory_new(pass->count, sizeof *pass->all);
	for (uint32_t i = 0; i < pass->count; i++)
		pass->all[i] = (struct writing){.writer = OTF2_Archive_GetEvtWriter(export->archive, pass->first + i),
			.context = NO_CONTEXT,
			.call = NO_CONTEXT};
	timeline_visit(export->timeline, pass->experiment, write_of_pass, pass);
	for (uint32_t i = 0; i < pass->count; i++) {
		struct writing *w = &pass->all[i];
		free(w->pending);
		if (!w->writer)
			continue;
		OTF2_EvtWriter_GetNumberOfEvents(w->writer, &export->events[pass->first + i]);
		OTF2_Archive_CloseEvtWriter(export->archive, w->writer);
	}
	free(pass->all);
}

void otf2_write_events(struct otf2_export *export)
{
	const struct timeline *timeline = export->timeline;
	for (uint32_t first = 0, to; first < timeline->location_count; first = to) {
		uint32_t experiment = timeline->locations[first].experiment;
		for (to = first + 1; to < timeline->location_count && to - first < OPEN_AT_ONCE &&
				     timeline->locations[to].experiment == experiment;
			to++)
			;
		write_pass(&(struct pass){
			.export = export, .experiment = experiment, .first = first, .count = to - first});
	}
}
