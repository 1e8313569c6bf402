/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time on the critical path, by process and by function. */
#ifndef MPI_CRITICAL_SUMS_H
#define MPI_CRITICAL_SUMS_H

#include "mpi_critical.h"

/* All in nanoseconds. */
struct mpi_path_sum {
	uint32_t key; /* experiment, or function */
	uint32_t stretches;
	uint64_t path;     /* time on the path; 0 for functions */
	uint64_t mpi, cpu; /* time in MPI functions, and CPU time, while the path was there */
	uint64_t all_cpu;  /* CPU time in all, of a process that is on the path or not */
};
struct mpi_path_sums {
	struct mpi_path_sum *processes, *functions; /* by key */
	uint32_t process_count, function_count;
	uint32_t ranks; /* processes that recorded MPI calls */
};
/* Adds up the events that the filter keeps (0: all); `leaf` is a prepared expression, the number of the leaf function. The caller
   frees it. */
struct mpi_path_sums *mpi_critical_sum(
	struct data *data, const struct event_filter *filter, const struct mpi_critical *path, struct expression *leaf);
void mpi_critical_sums_free(struct mpi_path_sums *sums);

#endif
