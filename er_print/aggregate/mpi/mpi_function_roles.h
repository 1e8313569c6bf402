/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The MPI functions of each experiment, and how they take part in waits. */
#ifndef MPI_FUNCTION_ROLES_H
#define MPI_FUNCTION_ROLES_H

#include "data.h"
#include "mpi_wait_states.h"

/* The wait state that calls of a function may be in, or one of these. */
enum { MPI_NO_OPERATION = MPI_WAIT_STATES, MPI_WAITS_FOR_FIRST };

struct mpi_function_role {
	unsigned char state;
	bool asks;        /* its calls may ask in vain */
	bool begins;      /* it returns before what it began is over, whatever becomes of it */
	bool awaits_more; /* what it awaits may hold up another call, too */
};
/* By experiment and function. */
struct mpi_function_roles {
	const struct data *data;
	struct mpi_function_role **of;
};
/* The caller frees the result's parts. */
struct mpi_function_roles mpi_function_roles_read(const struct data *data);
void mpi_function_roles_free(struct mpi_function_roles *roles);
struct mpi_function_role mpi_function_role(
	const struct mpi_function_roles *roles, uint32_t experiment, uint64_t function);
/* Whether the function of this name is one that begins something. */
bool mpi_function_begins(const char *name);

#endif
