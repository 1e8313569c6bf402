/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A square with a cell for each pair of MPI processes, or of bundles of them where there are many. */
#ifndef RANK_GRID_H
#define RANK_GRID_H

#include "mpi_pairs.h"

enum { RANK_GRID_MOST = 256 }; /* rows */

/* The value that a cell shows of its pairs. */
enum rank_value { RANK_BYTES, RANK_MESSAGES, RANK_LATENCY, RANK_BANDWIDTH, RANK_VALUES };

struct rank_grid {
	uint32_t *processes; /* by row: experiments in the order of ranks, at last NO_EXPERIMENT if a pair has it */
	uint32_t process_count;
	uint32_t bundle; /* processes of a row */
	uint32_t side;   /* rows */
	uint64_t *
		cells; /* [source row * side + destination row], 0: nothing; latency in ns, bandwidth in bytes per second */
	uint64_t *sources, *destinations; /* a whole row and a whole column */
	uint64_t whole, least, most;      /* all; the least and the most of a cell that has something */
};
/* The rows are the processes that have a rank, as far as `shown`, by experiment, says so. */
struct rank_grid rank_grid_make(
	const struct data *data, const bool *shown, const struct mpi_pairs *pairs, enum rank_value value);
void rank_grid_free(struct rank_grid *grid);
/* From 0 to 1, by its logarithm, where a value of a cell is between the least and the most. */
double rank_grid_share(const struct rank_grid *grid, uint64_t value);

#endif
