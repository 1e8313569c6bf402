/* SPDX-License-Identifier: Apache-2.0 */
/* The form of an MPI library's handles, constants and statuses: found out when the program runs, from the library that is
   loaded. Sources: mpi.h of Open MPI 4.1 and of MPICH 4.0 (whose ABI MVAPICH2 and Intel MPI share). */
#ifndef ABI_H
#define ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mpi_abi {
	const char *name;
	uint64_t handle_mask; /* of an argument: what of it is the handle */
	int any_source, proc_null, root, any_tag, undefined;
	uint64_t status_ignore, statuses_ignore, in_place; /* addresses that stand for "none" */
	size_t status_size, source, tag;                   /* bytes of a status, and where in it */
	uint64_t communicator_world, communicator_self, communicator_null;
	uint64_t request_null, message_null, message_no_proc;
	uint64_t type_byte;
	int lock_exclusive;
	int grid, graph; /* kinds of topology: MPI_CART and MPI_GRAPH */
};
#define MPI_STATUS_MAX 64u /* bytes of a status, of any library */

/* The library's; 0: none that we know. Takes the loader's locks the first time. */
const struct mpi_abi *mpi_abi(void);
/* That of a library which does not have Open MPI's symbols, by the name of its file; 0: none that we know. */
const struct mpi_abi *mpi_abi_of_file(const char *path);

/* The handle in an argument, and the one that an argument points to. */
static inline uint64_t mpi_handle(const struct mpi_abi *abi, long argument)
{
	return (uint64_t)argument & abi->handle_mask;
}
static inline uint64_t mpi_handle_at(const struct mpi_abi *abi, const void *address, size_t index)
{
	return abi->handle_mask == UINT32_MAX ? ((const uint32_t *)address)[index] : ((const uint64_t *)address)[index];
}

/* A message that was received, as its status tells it. */
struct mpi_status {
	int source, tag;
	uint64_t bytes;
	bool cancelled;
};
struct mpi_status mpi_status_read(const struct mpi_abi *abi, const void *status);

#endif
