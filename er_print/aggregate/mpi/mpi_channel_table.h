/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The channels of mpi_channels.h: those that messages are on their way in, and those that were used not long ago. */
#ifndef MPI_CHANNEL_TABLE_H
#define MPI_CHANNEL_TABLE_H

#include "mpi_halves.h"
#include "number_map.h"

struct mpi_channel {
	struct mpi_route route;
	uint32_t path; /* source, destination and communicator as one number; of one that is free: the next free one */
	bool free, used;
	bool waits; /* it is in its destination's list of those that wait for receives from anybody */
	struct mpi_queue sends, receives;
	struct mpi_queue probes; /* that found a message whose receive has not been put together */
};
struct mpi_channel_table {
	struct mpi_channel *array;
	uint32_t count, free;
	uint32_t most;                          /* so many are there before idle ones are let go */
	struct number_map ends, paths, numbers; /* (source, destination), (ends, pair), (path, tag) -> channel */
	/* By experiment, as source and as destination: `from` of the channels that were let go, the greatest of them. */
	struct mpi_gone {
		uint64_t sends, receives;
	} * gone;
	uint32_t gone_count;
};

void mpi_channel_table_begin(struct mpi_channel_table *table);
/* The channel of a route, made if it is not there. May move the array. */
uint32_t mpi_channel_find(struct mpi_channel_table *table, const struct mpi_route *route);
/* Whether a receive that is posted so may get what is sent so. */
bool mpi_may_get(const struct mpi_route *posted, const struct mpi_route *sent);
/* Whether one that is posted so, with this order, may have come before one that has been put together. */
bool mpi_channel_table_passed(const struct mpi_channel_table *table, const struct mpi_route *posted, uint32_t order);
void mpi_channel_table_free(struct mpi_channel_table *table);

#endif
