/* SPDX-License-Identifier: Apache-2.0 */
/* Getting libcollector.so into the target: where it is, and the environment that loads it. */
#ifndef PRELOAD_H
#define PRELOAD_H

#include "error.h"
#include <stdbool.h>
#include <stddef.h>

/* The collector that belongs to this collect, relative to its own executable: ../lib/er-tools/ as installed, ../lib/ in
   the build folder. Absolute path. mpi: the one that has the wrappers of MPI, too. */
bool preload_find_library(bool mpi, char *library, size_t size, struct error *error);

/* Puts the library first in LD_PRELOAD, taking out a copy that is there already (*was_there), and says by environment.h
   where the founder experiment is and which experiment in it is the target's ("": the founder).
   Changes our own environment, which the target inherits. */
bool preload_set_environment(
	const char *library, const char *founder, const char *lineage, bool *was_there, struct error *error);

#endif
