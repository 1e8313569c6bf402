/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The messages of all MPI ranks, read in one pass that keeps only those that are on their way (mpi_channels.h). */
#ifndef MPI_MESSAGE_EVENTS_H
#define MPI_MESSAGE_EVENTS_H

#include "event_filter.h"
#include "mpi_channels.h"
#include "mpi_world.h"

struct mpi_message_reader {
	void (*begin)(void *context); /* comes first; once more if all that was visited is to be forgotten */
	mpi_message_visitor *visit;
	void *context;
};
/* Visits each message of which the filter (0: all) may keep a side, in no order; the sides say whether it does. False: no rank
   recorded any. */
bool mpi_messages_visit(struct data *data, const struct mpi_world *world, const struct event_filter *filter,
	const struct mpi_message_reader *reader);

/* How long a message took whose receive had been posted when its sending began: from then until the receive was complete, in ns.
   -1: it was not, or has one side. A later receive finds a message that is there already, and its time says nothing of the way. */
int64_t mpi_message_latency(const struct mpi_message *message);

#endif
