/* SPDX-License-Identifier: Apache-2.0 */
/* Two ranks of four threads each under MPI_THREAD_MULTIPLE: each thread sends 250 messages of 64 bytes to its like and receives as
   many, every second one by nonblocking calls. Exits with 77 where the library does not offer that. */
#include <mpi.h>
#include <pthread.h>

enum { THREADS = 4, MESSAGES = 250, BYTES = 64 };
static int partner;

static void *exchange(void *argument)
{
	int tag = *(int *)argument;
	char out[BYTES] = {0}, in[BYTES];
	for (int i = 0; i < MESSAGES; i++) {
		MPI_Request requests[2];
		if (i % 2) {
			MPI_Sendrecv(out, BYTES, MPI_CHAR, partner, tag, in, BYTES, MPI_CHAR, partner, tag,
				MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			continue;
		}
		MPI_Irecv(in, BYTES, MPI_CHAR, partner, tag, MPI_COMM_WORLD, &requests[0]);
		MPI_Isend(out, BYTES, MPI_CHAR, partner, tag, MPI_COMM_WORLD, &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	int tags[THREADS], level, rank;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	if (level != MPI_THREAD_MULTIPLE)
		return MPI_Finalize(), 77;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	partner = 1 - rank;
	for (int i = 0; i < THREADS; i++) {
		tags[i] = i;
		pthread_create(&threads[i], 0, exchange, &tags[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], 0);
	MPI_Finalize();
	return 0;
}
