/* SPDX-License-Identifier: Apache-2.0 */
/* Being one of the processes that an MPI launcher started: who says so is the environment. */
#ifndef MPI_RANK_H
#define MPI_RANK_H

#include "error.h"
#include "settings.h"
#include <stdbool.h>
#include <stdint.h>

struct mpi_rank {
	bool known;
	uint64_t rank;
	char job[256];       /* the launcher's name of the job; "": it has none */
	const char *spawned; /* number of its spawning by another rank; 0: the launcher's own */
};
struct mpi_rank mpi_rank_of_environment(void);

/* Reads the settings of a founder that another process makes, or has made; waits for it if it is not whole yet. False: it
   cannot be had, or it is another job's. */
bool mpi_founder_settings(
	const char *founder, const struct mpi_rank *rank, struct settings *settings, struct error *error);

/* Becomes the program, recorded as this rank's experiment in the founder. Returns only if it failed. argv: the program and
   its arguments. */
void mpi_rank_become(const char *founder, const struct settings *settings, const struct mpi_rank *rank, char **argv,
	struct error *error);

#endif
