/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Point-to-point messages by source and destination process. */
#ifndef MPI_PAIRS_H
#define MPI_PAIRS_H

#include "event_filter.h"
#include "mpi_world.h"

struct mpi_pair {
	uint32_t source, destination; /* experiments, or NO_EXPERIMENT */
	uint64_t sends, sent, receives,
		received;               /* messages and bytes that the filter keeps, as each side tells them */
	uint64_t timed, time, shortest; /* messages whose latency is known, and ns */
	uint64_t bandwidth;             /* of the fastest, bytes per second */
};
struct mpi_pairs {
	struct mpi_pair *array; /* by rank and experiment of the source, then of the destination */
	uint32_t count;
};

/* Reads them. False: no rank recorded any, whatever the filter (0: all) keeps. The array is the caller's to free. */
bool mpi_pairs_read(struct data *data, const struct event_filter *filter, struct mpi_pairs *pairs);
/* Adds up messages, bytes and times, and keeps the shortest latency and the best bandwidth. */
void mpi_pair_add(struct mpi_pair *sum, const struct mpi_pair *pair);

#endif
