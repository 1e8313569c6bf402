/* SPDX-License-Identifier: Apache-2.0 */
/* Recording what mpirun starts (-M). mpirun itself is not recorded. In front of each program on its command line, which "--"
   marks, goes collect as the entry to the founder: on whatever host, it becomes the program, with the collector. */
#ifndef MPI_LAUNCH_H
#define MPI_LAUNCH_H

#include "create.h"
#include "error.h"
#include <stdbool.h>

/* Says whether the command line of mpirun can be rewritten: each part (separated by ":") must have a "--" before its
   program. */
bool mpi_launch_check(char **argv, struct error *error);

/* The command line with the entry in front of each program; the array is the caller's, the strings are argv's and the
   others'. 0: no memory. */
char **mpi_launch_rewrite(char **argv, const char *collect, const char *founder);

/* Writes into the founder's log what mpirun was called with, before the entries were put in. */
void mpi_launch_note(struct created *created, char **argv);

/* When mpirun has ended: says which ranks still run (killing mpirun does not end them), and which processes called no MPI
   function that we saw, if all of them did not. */
void mpi_launch_end(const char *founder);

#endif
