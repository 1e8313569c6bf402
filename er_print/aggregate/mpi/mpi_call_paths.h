/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call paths: stacks whose functions are the same, whatever the addresses in them, which two processes share. */
#ifndef MPI_CALL_PATHS_H
#define MPI_CALL_PATHS_H

#include "mpi_delays.h"
#include "number_map.h"
#include "resolver.h"

struct mpi_call_paths {
	const struct data *data;
	struct resolver *resolver;
	struct number_map numbers; /* (caller's path, function) -> path */
	uint32_t *path;            /* by stack; NO_NUMBER: not asked for yet */
	uint32_t count;
};
void mpi_call_paths_begin(struct mpi_call_paths *paths, const struct data *data, struct resolver *resolver);
void mpi_call_paths_free(struct mpi_call_paths *paths);
/* The number of a stack's path, as mpi_delays_find() asks it. */
struct mpi_identity mpi_call_paths_identity(struct mpi_call_paths *paths);

#endif
