/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The peer is a rank of the communicator, or of its other side. */
#include "mpi_event_routes.h"

#define FIELD(name)   (batch->field[FIELD_INDEX(MPI, name)][i])
#define IS_ANY(field) ((uint32_t)FIELD(field) == UINT32_MAX)

struct mpi_route mpi_event_route(const struct mpi_world *world, const struct data_batch *batch, uint32_t i,
	uint32_t experiment, uint32_t communicator, bool sends)
{
	struct mpi_route route = {.pair = NO_COMMUNICATOR, .tag = (uint32_t)FIELD(tag)};
	uint32_t peer = NO_EXPERIMENT, pair = NO_COMMUNICATOR;
	bool posts = !sends && FIELD(role) == STATE_VALUE(MPI, role, post);
	if (communicator != NO_COMMUNICATOR) {
		const struct mpi_communicator *own = mpi_world_communicator(world, communicator);
		if (own->peers != NO_COMMUNICATOR) {
			peer = mpi_world_member(world, own->peers, FIELD(peer));
			pair = own->pair;
		}
	}
	route.source = sends ? experiment : peer;
	route.destination = sends ? peer : experiment;
	route.any_source = posts && IS_ANY(peer);
	route.any_tag = posts && IS_ANY(tag);
	if (peer != NO_EXPERIMENT || route.any_source)
		route.pair = pair;
	return route;
}
