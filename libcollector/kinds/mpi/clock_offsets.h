/* SPDX-License-Identifier: Apache-2.0 */
/* How far this process's clock is from rank 0's, measured after MPI_Init and before MPI_Finalize, for a job on several hosts. */
#ifndef CLOCK_OFFSETS_H
#define CLOCK_OFFSETS_H

#include "abi.h"

/* Each communicates with the ranks that take part; others return at once. */
void clock_offsets_begin(const struct mpi_abi *abi, uint32_t rank);
void clock_offsets_end(const struct mpi_abi *abi);
/* In a process that is no rank: it compares with nobody. */
void clock_offsets_clear(void);

#endif
