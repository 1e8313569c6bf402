/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators: a number in this process, and an identity that all its processes find without talking to each other: a hash
   of the parent's identity, how many were made from the parent before, and which process is the leader (rank 0). Windows
   and files are known by the communicator that they were opened with. */
#ifndef COMMUNICATORS_H
#define COMMUNICATORS_H

#include "abi.h"
#include "call.h"

/* The number of a communicator argument; 0: it is none. */
uint32_t communicator_number(const struct mpi_abi *abi, long argument);
/* Its size (of an intercommunicator: of the local group) and our rank; 0: not known. */
uint32_t communicator_size(uint32_t number);
uint32_t communicator_rank(uint32_t number);
/* The number of the next collective operation on it. */
uint64_t communicator_next_collective(uint32_t number);

/* MPI_COMM_WORLD and MPI_COMM_SELF exist from now on. */
void communicators_start(const struct mpi_abi *abi, uint32_t rank, const char *job);
void communicators_clear(void);

/* A window or file and its communicator. */
void communicator_opened(const struct mpi_abi *abi, uint64_t handle, uint32_t communicator);
uint32_t communicator_of(const struct mpi_abi *abi, uint64_t handle);
void communicator_closed(uint64_t handle);

#endif
