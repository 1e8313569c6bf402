/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of pairs of stacks, of which one waited for the other: how many are shown, and how their times are written. */
#ifndef MPI_STACK_PAIRS_H
#define MPI_STACK_PAIRS_H

#include "session.h"

/* How many of `count` pairs are shown; says below the table if that is not all. */
uint32_t mpi_stack_pairs_shown(const struct session *session, struct table *table, uint32_t count);
/* ", Wait Time = 0.012345678", a text of the table. */
const char *mpi_stack_pair_seconds(struct table *table, const char *title, uint64_t nanoseconds);

#endif
