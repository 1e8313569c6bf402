/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The critical path of an MPI run: what would have had to be shorter for the run to be. It is found backwards from the process
   that was the last to begin its last MPI call: where that waited, the path leaves it for the one that it waited for, at the
   moment when the wait ended (Böhme, Wolf, de Supinski, Schulz and Geimer, "Scalable critical-path based performance analysis",
   2012). A run is what shares one MPI_COMM_WORLD. */
#ifndef MPI_CRITICAL_H
#define MPI_CRITICAL_H

#include "mpi_waits.h"

/* A time that the path spends in a thread. */
struct mpi_stretch {
	uint64_t thread;     /* number_pair of experiment and thread */
	uint64_t begin, end; /* ns */
};
struct mpi_critical {
	struct mpi_stretch *stretches; /* by thread and time, none overlaps another */
	uint32_t count;
};
/* The caller frees it. It begins with the first MPI call of the process where it ends its way back. */
struct mpi_critical *mpi_critical_find(struct data *data);
void mpi_critical_free(struct mpi_critical *path);
/* How much of the time from `begin` to `end` in a thread is on the path; and whether a moment is. */
uint64_t mpi_critical_overlap(const struct mpi_critical *path, uint64_t thread, uint64_t begin, uint64_t end);
bool mpi_critical_has(const struct mpi_critical *path, uint64_t thread, uint64_t time);
/* The first moment from `begin` on that is on the path, or is not; `end`: there is none before. */
uint64_t mpi_critical_first(const struct mpi_critical *path, uint64_t thread, uint64_t begin, uint64_t end, bool on);

#endif
