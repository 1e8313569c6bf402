/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For each thread that called MPI the way back from its last wait: to the thread that it waited for, at the moment when the wait
   ended, from there to that one's last wait until then, and so on. Waits are read forwards, and ways that no thread has come by any
   more are forgotten: the threads' ways are soon the same. */
#ifndef MPI_WAYS_H
#define MPI_WAYS_H

#include "mpi_waits.h"

struct mpi_ways;
/* The caller frees it. */
struct mpi_ways *mpi_ways_read(struct data *data);
void mpi_ways_free(struct mpi_ways *ways);

/* A wait on the way: when it ended, and the thread (number_pair of experiment and thread) that it was for. */
struct mpi_way {
	uint64_t time, thread;
};
/* A thread's last wait, for mpi_ways_before(). */
uint32_t mpi_ways_last(const struct mpi_ways *ways, uint64_t thread);
/* Tells a wait, and goes on to the one before it on the way. False: there is none. */
bool mpi_ways_before(const struct mpi_ways *ways, uint32_t *at, struct mpi_way *way);

#endif
