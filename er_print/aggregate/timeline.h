/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of each thread in the order of time: MPI calls with what they sent, received and took part in, and samples of the
   clock and of counters. */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "mpi_trace.h"

enum timeline_type {
	TIMELINE_ENTER,      /* `what`: a call of the trace */
	TIMELINE_LEAVE,      /* the same call, which has no other between */
	TIMELINE_SAMPLE,     /* a stack */
	TIMELINE_SEND,       /* a send of the trace that its call ended */
	TIMELINE_SEND_BEGIN, /* one that another call may end */
	TIMELINE_SEND_END,
	TIMELINE_RECEIVE,       /* a receive of the trace that its call began */
	TIMELINE_RECEIVE_BEGIN, /* one that another call ends: posted */
	TIMELINE_RECEIVE_END,
	TIMELINE_COLLECTIVE_BEGIN, /* a part of the trace that its call ends */
	TIMELINE_COLLECTIVE_END,
	TIMELINE_PART_BEGIN, /* one that another call ends */
	TIMELINE_PART_END,
	TIMELINE_TRANSFER_BEGIN, /* a transfer of the trace */
	TIMELINE_TRANSFER_END,
};
struct timeline_record {
	uint64_t time;  /* ns since the founder's start */
	uint64_t order; /* at that time */
	uint32_t what, location;
	enum timeline_type type : 8;
	unsigned counter : 8; /* of a sample: the counter's place in the experiment's counters, and 1; 0: the clock */
};
/* A thread. */
struct timeline_location {
	uint32_t experiment, thread;
	uint32_t first, count; /* its records */
};
struct timeline {
	struct mpi_trace *trace;             /* calls are adjusted: none overlaps the next of its thread */
	struct timeline_location *locations; /* by experiment, thread */
	struct timeline_record *records;     /* by location, time, order */
	uint32_t location_count, record_count;
};
#define TIMELINE_MOST (UINT32_MAX - 1) /* records; more are left out */

/* The timeline of what the filter keeps (0: all): calls, each with all that it did, and calls of which a message or part is kept.
   The caller frees it. */
struct timeline *timeline_read(struct data *data, const struct event_filter *filter);
void timeline_free(struct timeline *timeline);

#endif
