/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nonblocking sends until two things are known, in either order: the call that completed one, and the receive that it waited for.
   For the files that make up mpi_waits.h. */
#ifndef MPI_OPEN_SENDS_H
#define MPI_OPEN_SENDS_H

#include "mpi_open_calls.h"
#include "number_map.h"

struct mpi_open_sends {
	struct mpi_open_calls *calls;
	struct number_map numbers; /* (experiment, order) -> send */
	struct mpi_open_send *array;
	uint32_t count, free;
};
struct mpi_open_sends mpi_open_sends_begin(struct mpi_open_calls *calls);
/* An event `send` of a call, which stays held until it is known what the send waited for. */
void mpi_open_sends_add(struct mpi_open_sends *sends, const struct mpi_event *event, uint32_t call);
/* An event `sent`. */
void mpi_open_sends_completed(struct mpi_open_sends *sends, const struct mpi_event *event);
/* Its receive was posted, or began; 0: it has none. False: there is no such send here. */
bool mpi_open_sends_received(
	struct mpi_open_sends *sends, uint32_t experiment, uint32_t order, const struct mpi_late *late);
/* Those that were not completed were so when their call returned. Frees the parts. */
void mpi_open_sends_end(struct mpi_open_sends *sends);

#endif
