/* SPDX-License-Identifier: Apache-2.0 */
/* The sessions that are alive, and the world's group. */
#include "sessions.h"
#include "function_table.h"
#include "operations.h"

enum { SESSIONS = 64 };

static uint64_t sessions[SESSIONS]; /* 0: free */
static bool initialized;

void world_initialized(void)
{
	initialized = true;
}

static void replace(uint64_t before, uint64_t after)
{
	mpi_lock();
	for (unsigned i = 0; i < SESSIONS; i++) {
		if (sessions[i] != before)
			continue;
		sessions[i] = after;
		break;
	}
	mpi_unlock();
}

void session_begun(uint64_t session)
{
	replace(0, session);
}

void session_ended(uint64_t session)
{
	replace(session, 0);
}

/* The caller may hold the lock. */
static uint64_t any_session(void)
{
	for (unsigned i = 0; i < SESSIONS; i++)
		if (sessions[i])
			return sessions[i];
	return 0;
}

bool mpi_world_group(const struct mpi_abi *abi, uint64_t *group)
{
	uint64_t session = any_session();
	*group = 0;
	if (initialized)
		return MPI_ASK(MPI_Comm_group, (long)abi->communicator_world, (long)group) == 0;
	return session && MPI_ASK(MPI_Group_from_session_pset, (long)session, (long)"mpi://WORLD", (long)group) == 0;
}

void sessions_clear(void)
{
	initialized = false;
	for (unsigned i = 0; i < SESSIONS; i++)
		sessions[i] = 0;
}
