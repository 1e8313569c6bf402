/* SPDX-License-Identifier: Apache-2.0 */
/* The world of a process, which it may know by MPI_Init or by sessions only. */
#ifndef SESSIONS_H
#define SESSIONS_H

#include "abi.h"

/* The world is MPI_COMM_WORLD from now on. */
void world_initialized(void);
/* A session begins, or ends: one that is alive can tell who is in the world. */
void session_begun(uint64_t session);
void session_ended(uint64_t session);
/* The group of all processes of the world. The caller frees it. False: there is none, or the library has no sessions. */
bool mpi_world_group(const struct mpi_abi *abi, uint64_t *group);
void sessions_clear(void);

#endif
