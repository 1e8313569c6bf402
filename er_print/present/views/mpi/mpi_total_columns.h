/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MPI totals as columns of a report: the totals that each process kept, which are exact also where events were lost. No filter
   applies to them. */
#ifndef MPI_TOTAL_COLUMNS_H
#define MPI_TOTAL_COLUMNS_H

#include "session.h"

enum { MPI_TOTAL_COLUMNS = 7 };

void mpi_total_columns_add(struct table *table);
/* The first cells of a row: totals[MPI_TOTALS], with the time in nanoseconds. */
void mpi_total_columns_fill(struct cell *cells, const uint64_t *totals);
/* Adds the totals of one function in one process, with its calls that had not returned. */
void mpi_totals_add(uint64_t *sums, const struct experiment *file, const struct mpi_function_totals *function);
/* Adds those of all functions of a process. False: it recorded none, or is not shown. */
bool mpi_totals_add_process(const struct session *session, uint32_t experiment, uint64_t *sums);
/* Whether a process recorded any; false, with a message, if none did. */
bool mpi_totals_recorded(struct session *session);
/* Says under the table which calls had not returned, and that the filter does not hold, if there is one. */
void mpi_totals_say_more(const struct session *session, struct table *table);

#endif
