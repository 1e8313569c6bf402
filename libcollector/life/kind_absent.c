/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds that only another build of the library has: libcollector.so is without libcollector_mpi.so's. */
#include "kind.h"

static bool never(void)
{
	return false;
}

extern const struct kind_operations mpi_operations;
const struct kind_operations mpi_operations __attribute__((weak)) = {.wanted = never};
