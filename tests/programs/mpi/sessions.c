/* SPDX-License-Identifier: Apache-2.0 */
/* Three ranks that never call MPI_Init: communicators of groups that a session gives, with one message from each rank to the next.
   Prints how many messages each sent, and how many bytes. */
#include "exchange.h"
#include <stdio.h>

enum { RANKS = 3 };

static void exchange(MPI_Comm communicator, int size)
{
	exchange_bytes(communicator, size);
	MPI_Comm_free(&communicator);
}

static void of_group(MPI_Group group, const char *tag, int size)
{
	MPI_Comm made;
	MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
	exchange(made, size);
}

int main(void)
{
	MPI_Session session;
	MPI_Group world, own, other;
	MPI_Comm made, merged;
	int ranks[] = {0, 1, 2}, rank, size;
	if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS)
		return 77;
	MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
	MPI_Group_rank(world, &rank);
	MPI_Group_size(world, &size);
	if (size != RANKS)
		return 3;
	of_group(world, "all", 10);
	MPI_Group_incl(world, rank == 2 ? 1 : 2, rank == 2 ? ranks + 2 : ranks, &own);
	MPI_Group_incl(world, rank == 2 ? 2 : 1, rank == 2 ? ranks : ranks + 2, &other);
	if (rank != 2) /* the third has made fewer when all meet again */
		of_group(own, "some", 20);
	of_group(world, "others", 30);
	of_group(world, "all", 40);
	MPI_Intercomm_create_from_groups(own, 0, other, 0, "between", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
	MPI_Intercomm_merge(made, rank == 2, &merged);
	exchange(merged, 50);
	exchange(made, 60);
	MPI_Group_free(&own);
	MPI_Group_free(&other);
	MPI_Group_free(&world);
	MPI_Session_finalize(&session);
	printf("%ld %ld\n", sent, bytes);
	return 0;
}
