/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The communication of all MPI ranks: the calls that sent, received or took part in a collective operation, and what they
   sent, received and took part in. */
#ifndef MPI_TRACE_H
#define MPI_TRACE_H

#include "event_filter.h"
#include "metrics.h"
#include "mpi_world.h"
#include "number_map.h"

#define NO_CALL    UINT32_MAX
#define NO_MESSAGE UINT32_MAX

struct mpi_trace_call {
	uint64_t begin, end;  /* ns since the founder's start */
	uint32_t experiment;  /* of the process */
	uint32_t thread, key; /* key: of its first event by the trace's keys, else its stack */
	uint32_t stack;
	uint16_t function; /* of the experiment's mpi_functions */
	bool kept;         /* by the filter: its first event, in mpi_trace_read() its first that did something */
};
static inline uint64_t mpi_thread_of(const struct mpi_trace_call *call)
{
	return number_pair(call->experiment, call->thread);
}
/* One side of a message. */
struct mpi_side {
	uint64_t bytes; /* sent, or received */
	uint64_t order; /* among the sends, or posted receives, of the process */
	uint32_t start,
		completion;    /* calls: that began the send or posted the receive; that ended it. May be one; a send's
				       completion that is not known is its start */
	uint32_t peer;         /* the other side's experiment, or NO_EXPERIMENT */
	uint32_t peer_rank;    /* of the other side in its group */
	uint32_t communicator; /* of mpi_world; NO_COMMUNICATOR: not known */
	uint32_t pair;         /* the communicator's; NO_COMMUNICATOR: no partner can be found */
	uint32_t tag;
	uint32_t partner; /* index among the other sides; NO_MESSAGE: not found */
	bool kept;        /* by the filter: the event that tells of it; of a nonblocking send either of the two */
};
/* The part of a process in a collective operation. */
struct mpi_part {
	uint64_t order; /* of the operation on its communicator */
	uint32_t communicator;
	uint32_t root;              /* rank, if the operation has one */
	uint32_t start, completion; /* calls, as above */
	uint64_t sent, received;    /* bytes that the process gave and got */
	bool kept;
};
struct mpi_trace {
	struct mpi_world *world;
	struct mpi_trace_call *calls;
	struct mpi_side *sends, *receives;
	struct mpi_part *parts; /* ordered by communicator, order, experiment */
	uint32_t call_count, send_count, receive_count, part_count;
};
/* All of it, whatever the filter (0: all) keeps; messages are not matched yet. `keys` may be 0. The caller frees it. */
struct mpi_trace *mpi_trace_read(struct data *data, const struct event_filter *filter, const struct metric_keys *keys);
/* As mpi_trace_read(), with all calls, also those that did nothing with others, those of one thread in the order of time. */
struct mpi_trace *mpi_trace_read_calls(struct data *data, const struct event_filter *filter);
void mpi_trace_free(struct mpi_trace *trace);

#endif
