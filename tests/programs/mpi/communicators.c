/* SPDX-License-Identifier: Apache-2.0 */
/* MPI_THREAD_MULTIPLE: while one thread sends to itself on one communicator, the other makes 1500, each a duplicate of
   MPI_COMM_SELF, and sends one int on each. Prints how many messages there were in all. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { COMMUNICATORS = 1500, LEAST = 20000 };

static MPI_Comm first;
static int done; /* atomic */
static long messages;

static void exchange(MPI_Comm communicator)
{
	int out = 1, in = 0;
	MPI_Sendrecv(&out, 1, MPI_INT, 0, 7, &in, 1, MPI_INT, 0, 7, communicator, MPI_STATUS_IGNORE);
	__atomic_add_fetch(&messages, 1, __ATOMIC_RELAXED);
}

static void *send(void *nothing)
{
	for (int i = 0; i < LEAST || !__atomic_load_n(&done, __ATOMIC_RELAXED); i++)
		exchange(first);
	return nothing;
}

int main(int argc, char **argv)
{
	static MPI_Comm made[COMMUNICATORS];
	pthread_t thread;
	int provided;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	if (provided != MPI_THREAD_MULTIPLE)
		return 77;
	MPI_Comm_dup(MPI_COMM_SELF, &first);
	pthread_create(&thread, 0, send, 0);
	for (int i = 0; i < COMMUNICATORS; i++) {
		MPI_Comm_dup(MPI_COMM_SELF, &made[i]);
		exchange(made[i]);
	}
	__atomic_store_n(&done, 1, __ATOMIC_RELAXED);
	pthread_join(thread, 0);
	printf("%ld\n", messages);
	for (int i = 0; i < COMMUNICATORS; i++)
		MPI_Comm_free(&made[i]);
	MPI_Comm_free(&first);
	MPI_Finalize();
	return 0;
}
