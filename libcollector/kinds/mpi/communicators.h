/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators: a number in this process, and in the log how they were made, by which er_print finds out without a word between
   processes which of several processes are one (FORMAT.md, "MPI"). Windows and files are known by the communicator that they were
   opened with. */
#ifndef COMMUNICATORS_H
#define COMMUNICATORS_H

#include "abi.h"
#include "call.h"

/* The number of a communicator argument; 0: it is none. */
uint32_t communicator_number(const struct mpi_abi *abi, long argument);
/* Its size (of an intercommunicator: of the local group) and our rank; 0: not known. */
uint32_t communicator_size(uint32_t number);
uint32_t communicator_rank(uint32_t number);
/* The processes that the operations of all reach: its size, of an intercommunicator that of the remote group. */
uint32_t communicator_partners(uint32_t number);
/* Whether it is an intercommunicator. */
bool communicator_is_inter(uint32_t number);
/* MPI_COMM_SELF's number; 0: there is none. */
uint32_t communicator_self_number(void);
/* The number of the next collective operation on it. */
uint64_t communicator_next_collective(uint32_t number);

/* The making of a communicator, as the log tells it; 0: not so. */
struct creation {
	uint64_t identity; /* the same in all of its processes, and no other's: of one without parent */
	uint32_t parent;
	uint64_t parent_handle; /* if its group may be another than the parent's */
	uint64_t made; /* the same in all of its processes, and no other's of this parent, but for their first ranks */
	uint64_t meeting;         /* of an intercommunicator: the same on both sides, in at least one process of each */
	uint32_t peer, peer_rank; /* the meeting was of this process and that rank there */
	const char *port, *made_by;
};
/* Returns its number. */
uint32_t communicator_define(const struct mpi_abi *abi, uint64_t handle, const struct creation *creation);
/* How many its processes have made from it, with the one that they make now. */
uint64_t communicator_next_made(uint32_t number);

/* There are communicators from now on. Returns whether there were any before. */
bool communicators_begin(void);
/* MPI_COMM_WORLD and MPI_COMM_SELF, too; `job`: the same in all processes of this world. */
void communicators_start(const struct mpi_abi *abi, uint32_t rank, uint64_t job);
void communicators_clear(void);

/* A window or file and its communicator. */
void communicator_opened(uint64_t handle, uint32_t communicator);
/* `opened_number`: which window or file of its communicator it is, from 1; 0: not known. May be 0. */
uint32_t communicator_of(uint64_t handle, uint64_t *opened_number);
/* The number of the next operation that all processes of the window or file begin. Its upper half says which window or file of its
   communicator it is, so that it is none of the communicator's own operations. */
uint64_t communicator_next_opened(uint64_t handle);
/* Which window or file of its communicator it is, from 1; 0: not known. */
uint64_t communicator_opened_number(uint64_t handle);
void communicator_closed(uint64_t handle);

#endif
