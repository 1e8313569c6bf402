/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The collective operations of all MPI ranks while their events are read: the parts that processes have in one are put together
   when all of them began, and completed it where that is another call. For the files that make up mpi_waits.h. */
#ifndef MPI_OPERATIONS_H
#define MPI_OPERATIONS_H

#include "mpi_open_calls.h"
#include "mpi_world.h"

struct mpi_operations;
struct mpi_operations *mpi_operations_begin(
	struct mpi_open_calls *calls, const struct mpi_world *world, const struct mpi_function_roles *roles);
/* A process took part in one: an event `collective`, or `completed`. Those of no known communicator are passed over. */
void mpi_operations_part(struct mpi_operations *operations, const struct mpi_event *event);
void mpi_operations_completed(struct mpi_operations *operations, const struct mpi_event *event);
/* Puts together those that lack parts, too. Frees it. */
void mpi_operations_end(struct mpi_operations *operations);

#endif
