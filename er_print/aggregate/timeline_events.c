/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations that have begun are found again by their orders: see kinds.def (MPI, role). */
#include "timeline_events.h"
#include "number_map.h"
#include "storage.h"

#include <stdlib.h>

enum begun_kind { BEGUN_SEND, BEGUN_RECEIVE, BEGUN_PART, BEGUN_KINDS };
#define NONE    UINT32_MAX
#define NO_CALL UINT64_MAX

struct reading {
	uint32_t experiment;
	const struct mpi_world *world;
	const struct mpi_function_roles *roles;
	timeline_event_visitor *visitor;
	void *context;
	struct number_map threads; /* thread -> number */
	uint64_t *last;            /* call, by number of the thread; NO_CALL: none yet */
	uint32_t thread_count, thread_capacity;
	uint64_t calls, requests;
	struct number_map numbers[BEGUN_KINDS]; /* order, of a part in its communicator -> index in begun */
	struct begun {
		struct timeline_begun of;
		uint32_t next; /* the next free one */
	} * begun;
	uint32_t begun_count, begun_capacity, free;
};

static uint32_t thread_of(struct reading *reading, uint32_t thread)
{
	uint32_t *place = number_map_place(&reading->threads, thread);
	if (*place == NO_NUMBER) {
		memory_reserve(reading->last, reading->thread_count, reading->thread_capacity);
		reading->last[reading->thread_count] = NO_CALL;
		*place = reading->thread_count++;
	}
	return *place;
}

static uint64_t key_of(const struct timeline_event *event, enum begun_kind kind)
{
	uint64_t order = MPI_FIELD(event, order);
	return kind == BEGUN_PART ? number_pair(event->communicator, (uint32_t)order) : order;
}

static void begin(struct reading *reading, struct timeline_event *event, enum begun_kind kind)
{
	uint32_t *place = number_map_place(&reading->numbers[kind], key_of(event, kind));
	event->begins = true;
	event->request = ++reading->requests;
	if (*place == NO_NUMBER && reading->free != NONE) {
		*place = reading->free;
		reading->free = reading->begun[reading->free].next;
	} else if (*place == NO_NUMBER) {
		memory_reserve(reading->begun, reading->begun_count, reading->begun_capacity);
		*place = reading->begun_count++;
	}
	reading->begun[*place].of = (struct timeline_begun){.call = event->call,
		.request = event->request,
		.sent = MPI_FIELD(event, sent),
		.received = MPI_FIELD(event, received),
		.root = (uint32_t)MPI_FIELD(event, peer),
		.function = (uint16_t)MPI_FIELD(event, function),
		.kept = event->kept && kind != BEGUN_RECEIVE};
}

static void end(struct reading *reading, struct timeline_event *event, enum begun_kind kind)
{
	uint32_t number = number_map_take(&reading->numbers[kind], key_of(event, kind));
	if (number == NO_NUMBER)
		return;
	event->begun = reading->begun[number].of;
	event->request = event->begun.request;
	reading->begun[number].next = reading->free;
	reading->free = number;
}

static void read_role(struct reading *reading, struct timeline_event *event)
{
	bool is_open = mpi_function_role(reading->roles, reading->experiment, MPI_FIELD(event, function)).begins;
	switch (event->role) {
	case STATE_VALUE(MPI, role, send):
		if (is_open)
			begin(reading, event, BEGUN_SEND);
		break;
	case STATE_VALUE(MPI, role, sent):
		end(reading, event, BEGUN_SEND);
		break;
	case STATE_VALUE(MPI, role, post):
		begin(reading, event, BEGUN_RECEIVE);
		break;
	case STATE_VALUE(MPI, role, receive):
	case STATE_VALUE(MPI, role, cancelled):
		end(reading, event, BEGUN_RECEIVE);
		break;
	case STATE_VALUE(MPI, role, collective):
		if (is_open)
			begin(reading, event, BEGUN_PART);
		break;
	case STATE_VALUE(MPI, role, completed):
		end(reading, event, BEGUN_PART);
		break;
	case STATE_VALUE(MPI, role, remote):
	case STATE_VALUE(MPI, role, file):
		event->request = ++reading->requests;
		break;
	}
}

/* Messages are known by their ranks alone. */
static bool needs_communicator(uint64_t role)
{
	return role == STATE_VALUE(MPI, role, collective) || role == STATE_VALUE(MPI, role, completed) ||
	       role == STATE_VALUE(MPI, role, remote) || role == STATE_VALUE(MPI, role, file);
}

static void read_mpi(struct reading *reading, struct timeline_event *event)
{
	uint64_t *last = &reading->last[event->thread];
	event->first = MPI_FIELD(event, calls) || *last == NO_CALL;
	if (event->first)
		*last = reading->calls++;
	event->call = *last;
	event->communicator = mpi_world_find(reading->world, reading->experiment, MPI_FIELD(event, communicator));
	event->role = MPI_FIELD(event, role);
	if (event->communicator == NO_COMMUNICATOR && needs_communicator(event->role))
		event->role = STATE_VALUE(MPI, role, none);
	read_role(reading, event);
}

static void read_batch(void *context, const struct data_batch *batch, const bool *kept)
{
	struct reading *reading = context;
	enum kind kind = (enum kind)batch->source->kind;
	const uint64_t *mode = batch->field[FIELD_INDEX(CLOCK, mode)];
	for (uint32_t i = 0; i < batch->count; i++) {
		if (kind == KIND_CLOCK && !data_is_tick(mode[i]))
			continue;
		struct timeline_event event = {.batch = batch,
			.i = i,
			.sample = kind != KIND_MPI,
			.kept = !kept || kept[i],
			.thread = thread_of(reading, batch->thread[i])};
		if (kind == KIND_MPI)
			read_mpi(reading, &event);
		reading->visitor(reading->context, &event);
	}
}

void timeline_events_visit(struct data *data, const struct mpi_world *world, const struct mpi_function_roles *roles,
	uint32_t experiment, const struct event_filter *filter, timeline_event_visitor *visitor, void *context)
{
	/* At one time, samples come after what a call did. */
	static const enum kind kinds[] = {KIND_MPI, KIND_CLOCK, KIND_OVERFLOW};
	struct reading reading = {.experiment = experiment,
		.world = world,
		.roles = roles,
		.visitor = visitor,
		.context = context,
		.free = NONE};
	event_filter_mark_kinds_in_time(
		data, experiment, kinds, sizeof kinds / sizeof *kinds, filter, read_batch, &reading);
	for (unsigned k = 0; k < BEGUN_KINDS; k++)
		number_map_free(&reading.numbers[k]);
	number_map_free(&reading.threads);
	free(reading.last);
	free(reading.begun);
}
