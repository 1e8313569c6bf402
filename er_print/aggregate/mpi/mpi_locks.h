/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks of windows: from MPI_Win_lock to MPI_Win_unlock, and which of them had to wait for another. For the files that make up
   mpi_trace.h and mpi_waits.h. */
#ifndef MPI_LOCKS_H
#define MPI_LOCKS_H

#include "mpi_trace.h"
#include "number_map.h"

/* The locks that processes have while their events are read. */
struct mpi_lock_reader {
	struct mpi_trace *trace;
	struct number_map open; /* (experiment, target) -> the newest that has not ended */
	uint32_t *older;        /* by lock: the next such one, NO_LOCK: none */
};
#define NO_LOCK UINT32_MAX

/* A lock that its call began. */
void mpi_lock_add(struct mpi_lock_reader *reader, const struct mpi_lock *lock);
/* The newest lock of the process at this window and target, of all targets where it has none for this one; NO_LOCK: none. */
uint32_t mpi_lock_find(
	const struct mpi_lock_reader *reader, uint32_t experiment, const struct mpi_lock *at, uint32_t *open_target);
/* It ends in a call. `open_target`: as it was found. */
void mpi_lock_end(
	struct mpi_lock_reader *reader, uint32_t lock, uint32_t experiment, uint32_t open_target, uint32_t call);
void mpi_lock_reader_free(struct mpi_lock_reader *reader);

/* By lock: the call that ended the last lock before it that it could not be at the same time as, NO_CALL: there is none. The
   caller frees it. */
uint32_t *mpi_locks_before(const struct mpi_trace *trace);

#endif
