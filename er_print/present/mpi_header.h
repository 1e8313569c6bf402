/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `header` says of an MPI rank. */
#ifndef MPI_HEADER_H
#define MPI_HEADER_H

#include "experiment.h"
#include <stdio.h>

/* Its rank, library, and whether its trace is whole; the calls in which it was when it ended. Nothing for other processes. */
void mpi_header_print(const struct experiment *experiment, FILE *file);

#endif
