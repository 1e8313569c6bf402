/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which messages were there while a thread waited for another one, that is, which it could have received first. */
#ifndef MPI_ARRIVALS_H
#define MPI_ARRIVALS_H

#include "mpi_trace.h"

/* A message that a thread received, by the call that did. */
struct mpi_arrival {
	uint64_t thread, received; /* number_pair of experiment and thread; when the call began */
	uint64_t sent;             /* when it was sent, or the first that was of those that later calls received */
};
struct mpi_arrivals {
	struct mpi_arrival *all; /* by thread and time; the caller frees it */
	uint32_t count;
};
/* The trace has its messages matched. */
struct mpi_arrivals mpi_arrivals_read(const struct mpi_trace *trace);
/* When the first of the messages was sent that calls after this one received in its thread; UINT64_MAX: there is none. */
uint64_t mpi_arrivals_first_sent(const struct mpi_arrivals *arrivals, const struct mpi_trace *trace, uint32_t call);

#endif
