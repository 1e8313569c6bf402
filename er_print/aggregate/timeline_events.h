/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The samples and MPI events of one experiment in the order of time, each with the call that it is of and with what it ends. For
   the files that make up timeline.h. */
#ifndef TIMELINE_EVENTS_H
#define TIMELINE_EVENTS_H

#include "event_filter.h"
#include "mpi_function_roles.h"
#include "mpi_world.h"

#include <stddef.h>

struct timeline_event {
	const struct data_batch *batch;
	uint32_t i; /* of the batch */
	bool sample;
	bool kept;       /* by the filter */
	uint32_t thread; /* counted from 0 in the order in which they come, in one reading */
	/* MPI's alone: */
	uint64_t call;         /* of the experiment, from 0 */
	bool first;            /* of its call */
	uint64_t role;         /* as recorded; none, where the communicator is not known */
	uint32_t communicator; /* of the world; NO_COMMUNICATOR: not known */
	bool begins;           /* another call will end what it begins */
	uint64_t request; /* what begins and what ends it have it, and transfers, and nothing else of the experiment */
	/* The operation that it ends; begun.request 0: none. */
	struct timeline_begun {
		uint64_t call, request;
		uint64_t sent, received; /* bytes */
		uint32_t root;           /* rank */
		uint16_t function;
		bool kept; /* the event that tells of it; a receive is kept by its completion alone */
	} begun;
};
#define MPI_FIELD(event, name) ((event)->batch->field[FIELD_INDEX(MPI, name)][(event)->i])
typedef void timeline_event_visitor(void *context, const struct timeline_event *event);
/* Memory: what is begun at a time. The same in each reading with the same filter (0: one that keeps all). */
void timeline_events_visit(struct data *data, const struct mpi_world *world, const struct mpi_function_roles *roles,
	uint32_t experiment, const struct event_filter *filter, timeline_event_visitor *visitor, void *context);

#endif
