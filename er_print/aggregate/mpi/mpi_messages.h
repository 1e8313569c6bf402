/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The point-to-point messages of all MPI ranks: each send with its receive. Of the sends from one process to another with one
   tag on one communicator, the k-th to begin is received by the k-th receive to be posted (MPI 4.0, 3.5). */
#ifndef MPI_MESSAGES_H
#define MPI_MESSAGES_H

#include "mpi_trace.h"

/* Tells each side its partner. Orders both arrays by pair, source, destination, tag, order. */
void mpi_messages_match(struct mpi_trace *trace);

#endif
