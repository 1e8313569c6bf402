/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks of windows: from MPI_Win_lock to MPI_Win_unlock, and which of them had to wait for another. All are kept until the last
   event was read, with their calls. For the files that make up mpi_waits.h. */
#ifndef MPI_LOCKS_H
#define MPI_LOCKS_H

#include "mpi_open_calls.h"
#include "mpi_world.h"
#include "number_map.h"

/* A process locked a window at a target. */
struct mpi_lock {
	uint64_t window; /* its number among the communicator's */
	uint32_t communicator;
	uint32_t target;            /* rank, or ALL_TARGETS */
	uint32_t start, completion; /* calls that began and ended it; completion MPI_NO_CALL: not ended */
	bool exclusive, kept;
};
#define ALL_TARGETS UINT32_MAX
/* A call that waited for what was done under a lock. */
struct mpi_flush {
	uint32_t lock, call;
};
struct mpi_locks {
	struct mpi_open_calls *calls;
	struct mpi_lock *locks;
	struct mpi_flush *flushes;
	uint32_t lock_count, flush_count;
	struct number_map open; /* (experiment, target) -> the newest that has not ended */
	uint32_t *older;        /* by lock: the next such one, NO_LOCK: none */
};
#define NO_LOCK UINT32_MAX

/* An event of a lock, a flush or an unlock. Those of no known communicator are passed over. All but `calls` is zero at first. */
void mpi_locks_add(struct mpi_locks *locks, const struct mpi_world *world, const struct mpi_event *event);
/* Offers the waits for locks to the calls, and lets go of those. Frees the parts. */
void mpi_locks_end(struct mpi_locks *locks);

#endif
