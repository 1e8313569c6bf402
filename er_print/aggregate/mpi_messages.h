/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The point-to-point messages of all MPI ranks: each send with its receive. Of the sends from one process to another with one
   tag on one communicator, the k-th to begin is received by the k-th receive to be posted (MPI 4.0, 3.5). */
#ifndef MPI_MESSAGES_H
#define MPI_MESSAGES_H

#include "event_filter.h"
#include "mpi_world.h"
#include "number_map.h"

#define NO_MESSAGE UINT32_MAX

/* One side of a message. */
struct mpi_side {
	uint64_t begin,
		end;    /* ns since the founder's start: of the call that began the send, or completed the receive */
	uint64_t bytes; /* sent, or received */
	uint64_t order; /* among the sends, or posted receives, of the process */
	uint32_t experiment;   /* of the process */
	uint32_t peer;         /* that of the other side, or NO_EXPERIMENT */
	uint32_t peer_rank;    /* of the other side in its group */
	uint32_t communicator; /* of mpi_world; NO_COMMUNICATOR: not known */
	uint32_t pair;         /* the communicator's; NO_COMMUNICATOR: no partner can be found */
	uint32_t tag, stack, thread;
	uint32_t partner;  /* index among the other sides; NO_MESSAGE: not found */
	uint16_t function; /* of the experiment's mpi_functions */
	bool kept;         /* by the filter */
};
struct mpi_messages {
	struct mpi_world *world;
	struct mpi_side *sends, *receives; /* each ordered by pair, source, destination, tag, order */
	uint32_t send_count, receive_count;
};
/* All of them; `kept` of a side says whether the filter (0: all) keeps its event. The caller frees it. */
struct mpi_messages *mpi_messages_read(struct data *data, const struct event_filter *filter);
void mpi_messages_free(struct mpi_messages *messages);

#endif
