/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that took time and were recorded one by one (MPI, I/O, waits for locks and their like), in the order of time: for formats
   that show threads along a time axis. */
#ifndef TRACED_CALLS_H
#define TRACED_CALLS_H

#include "mpi_trace.h"
#include "session.h"

struct traced_call {
	uint64_t begin, end; /* ns since the founder's start; of one thread, calls are disjoint or one in the other */
	uint32_t experiment, thread, stack;
	enum kind kind;  /* SYNC, IO, MPI */
	uint32_t what;   /* what was waited for; the I/O function; the MPI function */
	uint32_t file;   /* of I/O: its name's number; 0: not known */
	uint64_t bytes;  /* of I/O */
	uint64_t object; /* of a wait: its address */
	uint64_t error;  /* errno; 0: it succeeded */
};
struct traced_calls {
	struct traced_call *all; /* by experiment, thread, begin; an outer call before those in it */
	size_t count;
	struct mpi_trace *mpi; /* with its messages matched; calls that the filter keeps are among `all` */
};

/* Those that the filter keeps (0: all). The caller frees them. */
struct traced_calls traced_calls_read(struct data *data, const struct event_filter *filter);
void traced_calls_free(struct traced_calls *calls);

/* "write", "Mutex", "MPI_Send"; a text of the table, or a longer-lived one. */
const char *traced_call_name(const struct session *session, const struct traced_call *call);
/* The file, "Mutex queue_lock 0x4010c0" of a wait, 0 where there is nothing to say. A text of the table. */
const char *traced_call_object(struct session *session, struct table *table, const struct traced_call *call);

#endif
