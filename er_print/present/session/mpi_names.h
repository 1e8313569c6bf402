/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of MPI's ranks, communicators and functions in reports. */
#ifndef MPI_NAMES_H
#define MPI_NAMES_H

#include "mpi_ranks.h"
#include "mpi_world.h"
#include "session.h"

#define MPI_NO_MESSAGES "No MPI messages were recorded"

/* "3"; "none" of a process whose MPI_Init did not return, or failed. A text of the table. */
const char *mpi_rank_name(struct table *table, const struct experiment *experiment);
/* By experiment: "3", or "0 M_r0_s2.er" where several have the rank. The array is the caller's to free, the texts are the
   table's. */
struct mpi_process_names {
	const char **text;
};
struct mpi_process_names mpi_process_names_make(const struct session *session, struct table *table);
/* "?" for NO_EXPERIMENT. */
static inline const char *mpi_process_name(const struct mpi_process_names *names, uint32_t experiment)
{
	return experiment == NO_EXPERIMENT ? "?" : names->text[experiment];
}
/* "sqlite3", "app, MPI rank 3": a process by its program; a text of the table. */
const char *process_title(
	const struct session *session, struct table *table, const struct mpi_process_names *names, uint32_t experiment);
/* Its name, or how it was made and its identity; "?" for NO_COMMUNICATOR. A text of the table. */
const char *mpi_communicator_name(struct table *table, const struct mpi_world *world, uint32_t communicator);
/* "MPI_Isend"; "?" if the experiment has no function of the number. */
const char *mpi_function_name(const struct session *session, uint32_t experiment, uint32_t function);

#endif
