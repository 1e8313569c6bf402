/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The communicators of all MPI ranks that are loaded: those that are one and the same, and which process a rank of one is
   (FORMAT.md, "MPI"). */
#ifndef MPI_WORLD_H
#define MPI_WORLD_H

#include "data.h"

#define NO_COMMUNICATOR UINT32_MAX
#define NO_EXPERIMENT   UINT32_MAX

/* A group of processes in a communicator: an intercommunicator is two of them. */
struct mpi_communicator {
	char identity[20];          /* ""; not known, so it is one process's own */
	const char *made_by, *name; /* "": not known, none */
	uint64_t size, remote_size; /* remote_size 0: an intracommunicator */
	uint64_t leader;            /* rank of its rank 0 in MPI_COMM_WORLD; NO_LEADER: of another world */
	uint32_t members;           /* that are loaded */
	uint32_t pair;              /* the same number for both groups of an intercommunicator, and nobody else's */
	uint32_t peers; /* whose ranks its members' peers are: itself, or the other group; NO_COMMUNICATOR: not known */
};
#define NO_LEADER UINT64_MAX

struct mpi_world;
/* Reads it from the logs. The caller frees it; strings are the data's. */
struct mpi_world *mpi_world_read(const struct data *data);
void mpi_world_free(struct mpi_world *world);

uint32_t mpi_world_count(const struct mpi_world *world);
const struct mpi_communicator *mpi_world_communicator(const struct mpi_world *world, uint32_t communicator);
/* Its name, or how it was made and its identity ("?": not known), in `text` of `size` bytes, cut to fit. */
void mpi_communicator_text(const struct mpi_communicator *communicator, char *text, size_t size);
/* The communicator that a process's events call by this number, or NO_COMMUNICATOR. */
uint32_t mpi_world_find(const struct mpi_world *world, uint32_t experiment, uint64_t number);
/* The process of a rank, or NO_EXPERIMENT. */
uint32_t mpi_world_member(const struct mpi_world *world, uint32_t communicator, uint64_t rank);
/* The rank of a process, or UINT32_MAX. */
uint32_t mpi_world_rank(const struct mpi_world *world, uint32_t communicator, uint32_t experiment);

#endif
