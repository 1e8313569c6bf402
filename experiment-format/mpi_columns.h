/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of the file "mpi" as C. */
#ifndef MPI_COLUMNS_H
#define MPI_COLUMNS_H

enum mpi_total {
#define TOTAL(name, unit, text) MPI_TOTAL_##name,
#define PROGRESS(name, unit, text)
#include "mpi_columns.def"
	MPI_TOTALS
};
enum mpi_progress {
#define TOTAL(name, unit, text)
#define PROGRESS(name, unit, text) MPI_PROGRESS_##name,
#include "mpi_columns.def"
	MPI_PROGRESS_COLUMNS
};

#endif
