/* SPDX-License-Identifier: Apache-2.0 */
/* Whose launcher a program is. The MPI libraries do not understand each other's launchers: each rank would be a job of its
   own. */
#ifndef MPI_FAMILY_H
#define MPI_FAMILY_H

#include "error.h"
#include <stdbool.h>

enum mpi_family { MPI_FAMILY_UNKNOWN, MPI_FAMILY_OPENMPI, MPI_FAMILY_MPICH };

/* The family that a value of -M names, or unknown. */
enum mpi_family mpi_family_named(const char *value);

/* Compares what -M asks for with the launcher at `path`, which is read and not run. A launcher that is not known (a
   script, srun) is taken. */
bool mpi_family_check(enum mpi_family asked, const char *name, const char *path, struct error *error);

#endif
