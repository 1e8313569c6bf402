/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Point-to-point messages by source and destination process. */
#ifndef MPI_PAIRS_H
#define MPI_PAIRS_H

#include "mpi_trace.h"

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

/* The messages of the trace must be matched. The array is the caller's to free. */
struct mpi_pairs mpi_pairs_of(const struct data *data, const struct mpi_trace *trace);
/* Adds up messages, bytes and times, and keeps the shortest latency and the best bandwidth. */
void mpi_pair_add(struct mpi_pair *sum, const struct mpi_pair *pair);

#endif
