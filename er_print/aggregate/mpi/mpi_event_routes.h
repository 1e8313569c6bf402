/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From whom to whom an event's message goes. */
#ifndef MPI_EVENT_ROUTES_H
#define MPI_EVENT_ROUTES_H

#include "data.h"
#include "mpi_channels.h"
#include "mpi_world.h"

/* The route of the i-th event of a batch, in a communicator of the world. `sends`: the experiment is its source. */
struct mpi_route mpi_event_route(const struct mpi_world *world, const struct data_batch *batch, uint32_t i,
	uint32_t experiment, uint32_t communicator, bool sends);

#endif
