/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MPI ranks, by the logs of experiments. */
#ifndef MPI_RANKS_H
#define MPI_RANKS_H

#include "experiment.h"
#include <stdint.h>

/* The first log event of a kind, or 0. */
const struct log_event *mpi_event(const struct experiment *experiment, const char *kind);

/* An attribute as a number; 0 if it is not there. */
uint64_t mpi_number(const struct log_event *event, const char *name);

/* The rank in MPI_COMM_WORLD, 0 if MPI_Init has not said it. */
uint64_t mpi_rank_of(const struct experiment *experiment);

/* Raw time in nanoseconds. */
uint64_t mpi_nanoseconds(const struct experiment *experiment, uint64_t ticks);

#endif
