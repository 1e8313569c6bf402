/* SPDX-License-Identifier: Apache-2.0 */
/* Creating the file "mpi" (FORMAT.md, "MPI"): a table of totals by function and slots for the calls in progress, both a
   shared mapping, so that kill -9 loses nothing of them. */
#ifndef MPI_FILE_H
#define MPI_FILE_H

#include "experiment_directory.h"
#include "mpi_columns.h"
#include <stdint.h>

#define MPI_SLOTS 64u /* threads of a process whose calls in progress are seen */

/* The mapped content, zeros. */
struct mpi_file {
	uint64_t (*totals)[MPI_TOTALS];             /* by function; 0: there is no file */
	uint64_t (*progress)[MPI_PROGRESS_COLUMNS]; /* MPI_SLOTS of them */
};

struct mpi_named {
	const char *name, *class;
};
#define MPI_DESCRIPTION_MAX (64u * 1024u)

/* Creates DIRECTORY/mpi for `count` functions, whose description is composed in `buffer` of MPI_DESCRIPTION_MAX bytes.
   Returns 0 or an errno value. Not in handlers. */
int mpi_file_create(struct mpi_file *file, struct experiment_directory *directory, const struct mpi_named *functions,
	unsigned count, char *buffer);

#endif
