/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which communicators that the logs of several processes define are one: each process tells what it knows of a communicator's
   making, and all of its processes tell the same (FORMAT.md, "MPI"). */
#ifndef MPI_GROUPS_H
#define MPI_GROUPS_H

#include "data.h"

#define NO_GROUP UINT32_MAX

/* A communicator as one process defines it. */
struct mpi_definition {
	const struct log_event *event;
	uint32_t experiment;
	uint32_t group; /* which one it is */
};
/* The processes of a communicator, of an intercommunicator one side. */
struct mpi_group {
	uint64_t identity, whole; /* of this side; of both. 0: not known, so it is one process's own */
	/* Founder, +1: jobs of one name in two founders are two; 0: each rank has a founder of its own. `scope`: of this side */
	uint32_t scope, whole_scope;
	uint64_t leader,
		remote_leader; /* of an intercommunicator whose sides have one identity: they tell them apart */
	bool inter;
	bool second; /* side of an intercommunicator */
};
struct mpi_groups {
	struct mpi_definition *definitions; /* by experiment, in the order of its log */
	struct mpi_group *groups;
	uint32_t definition_count, count;
};
/* Finds them; the caller frees both arrays. */
void mpi_groups_find(const struct data *data, struct mpi_groups *groups);

#endif
