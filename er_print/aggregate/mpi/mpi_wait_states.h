/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wait states of mpi_wait_states.def by number. */
#ifndef MPI_WAIT_STATES_H
#define MPI_WAIT_STATES_H

enum mpi_wait_state {
#define WAIT(name, title) MPI_WAIT_##name,
#include "mpi_wait_states.def"
	MPI_WAIT_STATES
};
const char *mpi_wait_title(enum mpi_wait_state state);

#endif
