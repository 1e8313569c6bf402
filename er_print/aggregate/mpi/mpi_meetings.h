/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When two processes were at a common point last before one of them waited for the other: the end of a message between them, or of
   a collective operation that both took part in. Since then they did different things, which is why one was late. */
#ifndef MPI_MEETINGS_H
#define MPI_MEETINGS_H

#include "mpi_trace.h"
#include "mpi_waits.h"

/* Nanoseconds since the founder's start: the end of the common point for the late process, and for the one that waited; the
   beginnings of both, if there was none. */
struct mpi_meeting {
	uint64_t late, own;
};
/* One for each wait, of a trace whose messages are matched. The caller frees them. */
struct mpi_meeting *mpi_meetings_find(
	const struct mpi_trace *trace, const struct data *data, const struct mpi_wait *waits, uint32_t count);

#endif
