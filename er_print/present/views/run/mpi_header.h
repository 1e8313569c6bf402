/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of `header` about an MPI rank. */
#ifndef MPI_HEADER_H
#define MPI_HEADER_H

#include "data.h"
#include "facts.h"

/* Its rank, library, where its times come from, and whether its trace is whole; the calls in which it was when it ended.
   Nothing for other processes. */
void mpi_header_add(struct facts *facts, const struct loaded_experiment *loaded);

#endif
