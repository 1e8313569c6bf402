/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the threads and what is kept first, and makes records when the calls are read again. */
#include "timeline.h"
#include "search.h"
#include "storage.h"
#include "timeline_events.h"

#include <stdlib.h>
#include <string.h>

#define NO_LOCATION UINT32_MAX

/* The calls of an experiment, by their numbers. */
struct timeline_kept {
	unsigned char *bits;
	size_t capacity; /* of bits, in bytes */
};

static void keep_call(struct timeline_kept *kept, uint64_t call)
{
	if (call / 8 >= kept->capacity) {
		size_t capacity = (call / 8 + 1) * 2;
		kept->bits = memory_resize(kept->bits, capacity, 1);
		memset(kept->bits + kept->capacity, 0, capacity - kept->capacity);
		kept->capacity = capacity;
	}
	kept->bits[call / 8] |= (unsigned char)(1 << call % 8);
}

static bool is_kept(const struct timeline_kept *kept, uint64_t call)
{
	return call / 8 < kept->capacity && kept->bits[call / 8] >> call % 8 & 1;
}

/* The first reading. */
struct finding {
	struct timeline *timeline;
	uint32_t experiment;
	bool *known; /* by number of the thread */
	uint32_t count, capacity;
};

static void find(void *context, const struct timeline_event *event)
{
	struct finding *finding = context;
	struct timeline *timeline = finding->timeline;
	for (; finding->count <= event->thread; finding->count++) {
		memory_reserve(finding->known, finding->count, finding->capacity);
		finding->known[finding->count] = false;
	}
	timeline->some |= event->kept;
	if (!finding->known[event->thread] && (event->kept || !event->sample)) {
		memory_reserve(timeline->locations, timeline->location_count, timeline->location_capacity);
		timeline->locations[timeline->location_count++] =
			(struct timeline_location){finding->experiment, event->batch->thread[event->i]};
		finding->known[event->thread] = true;
	}
	if (event->sample || !timeline->of)
		return;
	struct timeline_kept *kept = &timeline->of[finding->experiment];
	bool whole = event->begun.request && (event->kept || event->begun.kept);
	if (whole)
		keep_call(kept, event->begun.call);
	if (whole || event->kept)
		keep_call(kept, event->call);
}

static int by_thread(const void *left, const void *right)
{
	const struct timeline_location *a = left, *b = right;
	return COMPARE(a->experiment, b->experiment) ?: COMPARE(a->thread, b->thread);
}

struct timeline *timeline_read(struct data *data, const struct event_filter *filter)
{
	struct timeline *timeline = memory_new(1, sizeof *timeline);
	*timeline = (struct timeline){
		.data = data, .filter = filter, .world = mpi_world_read(data), .roles = mpi_function_roles_read(data)};
	if (!event_filter_keeps_all(filter))
		timeline->of = memory_new(data->experiment_count, sizeof *timeline->of);
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		struct finding finding = {.timeline = timeline, .experiment = e};
		timeline_events_visit(data, timeline->world, &timeline->roles, e, filter, find, &finding);
		free(finding.known);
	}
	if (timeline->location_count)
		qsort(timeline->locations, timeline->location_count, sizeof *timeline->locations, by_thread);
	return timeline;
}

void timeline_free(struct timeline *timeline)
{
	for (uint32_t e = 0; timeline->of && e < timeline->data->experiment_count; e++)
		free(timeline->of[e].bits);
	free(timeline->of);
	mpi_world_free(timeline->world);
	mpi_function_roles_free(&timeline->roles);
	free(timeline->locations);
	free(timeline);
}

/* A thread in the second reading, and its last call. */
struct thread {
	uint32_t location;
	bool kept, inside; /* inside: it has not left the call */
	uint64_t begin, end;
	uint64_t time;                   /* of its last record */
	struct timeline_record *endings; /* what the call does at its end */
	uint32_t ending_count, ending_capacity;
	uint16_t function;
	uint32_t stack;
};
struct making {
	const struct timeline *timeline;
	uint32_t experiment;
	timeline_visitor *visitor;
	void *context;
	struct thread *threads;
	uint32_t count, capacity;
};

static uint32_t location_of(const struct making *making, uint32_t thread)
{
	const struct timeline *timeline = making->timeline;
	const struct timeline_location wanted = {making->experiment, thread};
	const struct timeline_location *found =
		timeline->location_count
			? bsearch(&wanted, timeline->locations, timeline->location_count, sizeof wanted, by_thread)
			: 0;
	return found ? (uint32_t)(found - timeline->locations) : NO_LOCATION;
}

static struct thread *thread_of(struct making *making, const struct timeline_event *event)
{
	for (; making->count <= event->thread; making->count++) {
		memory_reserve(making->threads, making->count, making->capacity);
		making->threads[making->count] = (struct thread){.location = NO_LOCATION};
	}
	struct thread *thread = &making->threads[event->thread];
	if (thread->location == NO_LOCATION)
		thread->location = location_of(making, event->batch->thread[event->i]);
	return thread;
}

/* A trace's times never go back; those of a damaged file may. */
static void visit(struct making *making, struct thread *thread, struct timeline_record *record, uint64_t time)
{
	thread->time = record->time = time > thread->time ? time : thread->time;
	record->location = thread->location;
	making->visitor(making->context, record);
}

/* The call itself, at its begin or its end. */
static void visit_call(struct making *making, struct thread *thread, enum timeline_type type, uint64_t time)
{
	visit(making, thread,
		&(struct timeline_record){.stack = thread->stack, .function = thread->function, .type = type}, time);
}

static void leave(struct making *making, struct thread *thread)
{
	if (!thread->inside)
		return;
	for (uint32_t i = 0; i < thread->ending_count; i++)
		visit(making, thread, &thread->endings[i], thread->end);
	visit_call(making, thread, TIMELINE_LEAVE, thread->end);
	thread->ending_count = 0;
	thread->inside = false;
}

/* Times are rounded, and a call may seem to begin before the one before it has ended. */
static void enter(struct making *making, struct thread *thread, const struct timeline_event *event)
{
	const struct timeline_kept *kept = making->timeline->of;
	uint64_t begin = event->batch->time[event->i];
	uint64_t end = begin + (MPI_FIELD(event, calls) ? MPI_FIELD(event, duration) + MPI_FIELD(event, between) : 0);
	thread->end = thread->end > begin ? begin : thread->end;
	leave(making, thread);
	thread->begin = begin;
	thread->end = end > begin ? end : begin;
	thread->function = (uint16_t)MPI_FIELD(event, function);
	thread->stack = event->batch->stack[event->i];
	thread->kept = thread->inside = !kept || is_kept(&kept[making->experiment], event->call);
	if (thread->kept)
		visit_call(making, thread, TIMELINE_ENTER, thread->begin);
}

static struct timeline_record record_of(
	const struct timeline_event *event, const struct thread *thread, enum timeline_type type)
{
	bool transfers = event->role == STATE_VALUE(MPI, role, remote) || event->role == STATE_VALUE(MPI, role, file);
	return (struct timeline_record){.type = type,
		.opened = transfers ? (uint32_t)(MPI_FIELD(event, order) >> 32) : 0,
		.sent = MPI_FIELD(event, sent),
		.received = MPI_FIELD(event, received),
		.request = event->request,
		.communicator = event->communicator,
		.peer = (uint32_t)MPI_FIELD(event, peer),
		.tag = (uint32_t)MPI_FIELD(event, tag),
		.function = thread->function};
}

static void do_at_begin(
	struct making *making, struct thread *thread, const struct timeline_event *event, enum timeline_type type)
{
	struct timeline_record record = record_of(event, thread, type);
	visit(making, thread, &record, thread->begin);
}

static void do_at_end(
	struct making *making, struct thread *thread, const struct timeline_event *event, enum timeline_type type)
{
	struct timeline_record record = record_of(event, thread, type);
	if (type == TIMELINE_PART_END) {
		record.sent = event->begun.sent;
		record.received = event->begun.received;
		record.peer = event->begun.root;
		record.function = event->begun.function;
	}
	if (!thread->inside) {
		visit(making, thread, &record, thread->end);
		return;
	}
	memory_reserve(thread->endings, thread->ending_count, thread->ending_capacity);
	thread->endings[thread->ending_count++] = record;
}

static void do_role(struct making *making, struct thread *thread, const struct timeline_event *event)
{
	bool ends = event->begun.request != 0;
	switch (event->role) {
	case STATE_VALUE(MPI, role, send):
		do_at_begin(making, thread, event, event->begins ? TIMELINE_SEND_BEGIN : TIMELINE_SEND);
		break;
	case STATE_VALUE(MPI, role, sent):
		if (ends)
			do_at_end(making, thread, event, TIMELINE_SEND_END);
		break;
	case STATE_VALUE(MPI, role, post):
		do_at_begin(making, thread, event, TIMELINE_RECEIVE_BEGIN);
		break;
	case STATE_VALUE(MPI, role, receive):
		do_at_end(making, thread, event, ends ? TIMELINE_RECEIVE_END : TIMELINE_RECEIVE);
		break;
	case STATE_VALUE(MPI, role, cancelled):
		if (ends)
			do_at_end(making, thread, event, TIMELINE_RECEIVE_CANCELLED);
		break;
	case STATE_VALUE(MPI, role, collective):
		do_at_begin(making, thread, event, event->begins ? TIMELINE_PART_BEGIN : TIMELINE_COLLECTIVE_BEGIN);
		if (!event->begins)
			do_at_end(making, thread, event, TIMELINE_COLLECTIVE_END);
		break;
	case STATE_VALUE(MPI, role, completed):
		if (ends)
			do_at_end(making, thread, event, TIMELINE_PART_END);
		break;
	case STATE_VALUE(MPI, role, remote):
		do_at_begin(making, thread, event, TIMELINE_REMOTE);
		break;
	case STATE_VALUE(MPI, role, file):
		do_at_begin(making, thread, event, TIMELINE_FILE_BEGIN);
		do_at_end(making, thread, event, TIMELINE_FILE_END);
		break;
	}
}

static void make(void *context, const struct timeline_event *event)
{
	struct making *making = context;
	struct thread *thread = thread_of(making, event);
	if (event->sample) {
		const struct data_batch *batch = event->batch;
		bool clock = batch->source->kind == KIND_CLOCK;
		if (thread->end <= batch->time[event->i])
			leave(making, thread);
		struct timeline_record record = {.stack = batch->stack[event->i],
			.type = TIMELINE_SAMPLE,
			.counter = clock ? 0 : (batch->field[FIELD_INDEX(OVERFLOW, counter)][event->i] + 1) & 0xff};
		if (event->kept)
			visit(making, thread, &record, batch->time[event->i]);
		return;
	}
	if (event->first)
		enter(making, thread, event);
	if (thread->kept)
		do_role(making, thread, event);
}

void timeline_visit(const struct timeline *timeline, uint32_t experiment, timeline_visitor *visitor, void *context)
{
	struct making making = {.timeline = timeline, .experiment = experiment, .visitor = visitor, .context = context};
	timeline_events_visit(
		timeline->data, timeline->world, &timeline->roles, experiment, timeline->filter, make, &making);
	for (uint32_t t = 0; t < making.count; t++) {
		leave(&making, &making.threads[t]);
		free(making.threads[t].endings);
	}
	free(making.threads);
}
