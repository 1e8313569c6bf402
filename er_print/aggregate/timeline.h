/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of each thread in the order of time: MPI calls with what they sent, received and took part in, and samples of the
   clock and of counters. Events are read twice and not kept. */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "event_filter.h"
#include "mpi_function_roles.h"
#include "mpi_world.h"

enum timeline_type {
	TIMELINE_ENTER, /* a call */
	TIMELINE_LEAVE, /* the same call, which has no other between */
	TIMELINE_SAMPLE,
	TIMELINE_SEND,       /* that its call ended */
	TIMELINE_SEND_BEGIN, /* that another call may end */
	TIMELINE_SEND_END,
	TIMELINE_RECEIVE,       /* that its call began */
	TIMELINE_RECEIVE_BEGIN, /* that another call may end: posted */
	TIMELINE_RECEIVE_END,
	TIMELINE_RECEIVE_CANCELLED,
	TIMELINE_COLLECTIVE_BEGIN, /* that its call ends */
	TIMELINE_COLLECTIVE_END,
	TIMELINE_PART_BEGIN, /* a collective operation that another call may end */
	TIMELINE_PART_END,
	TIMELINE_REMOTE, /* a one-sided operation */
	TIMELINE_FILE_BEGIN,
	TIMELINE_FILE_END,
};
struct timeline_record {
	uint64_t time;           /* ns since the founder's start */
	uint64_t sent, received; /* bytes */
	uint64_t request;        /* what begins and what ends it have it, and no other of the process */
	uint32_t location;
	uint32_t stack;        /* of calls and samples */
	uint32_t communicator; /* of the world; NO_COMMUNICATOR: not known */
	uint32_t peer;         /* rank: destination, source, root, target */
	uint32_t tag;
	uint32_t opened; /* which of the communicator's windows and files */
	uint16_t
		function; /* of the experiment's mpi_functions: of the call; of TIMELINE_PART_END, of the one that began it */
	enum timeline_type type : 8;
	unsigned counter : 8; /* of a sample: the counter's place in the experiment's counters, and 1; 0: the clock */
};
/* A thread that had MPI calls, kept or not, or samples that are kept. */
struct timeline_location {
	uint32_t experiment, thread;
};
struct timeline {
	struct data *data;
	const struct event_filter *filter;
	struct mpi_world *world;
	struct mpi_function_roles roles;
	struct timeline_location *locations; /* by experiment, thread */
	uint32_t location_count, location_capacity;
	bool some;                /* it has records */
	struct timeline_kept *of; /* its own, by experiment: the calls that are kept; 0: all are */
};
/* The timeline of what the filter keeps (0: all): samples, calls, each with all that it did, and calls of which a message or part
   is kept. The filter must stay. The caller frees it. */
struct timeline *timeline_read(struct data *data, const struct event_filter *filter);
void timeline_free(struct timeline *timeline);

typedef void timeline_visitor(void *context, const struct timeline_record *record);
/* Visits the records of an experiment. Those of one location come in the order of time, calls nested as they were; locations
   alternate. None of a location that has none. A record is valid during the visit. */
void timeline_visit(const struct timeline *timeline, uint32_t experiment, timeline_visitor *visitor, void *context);

#endif
