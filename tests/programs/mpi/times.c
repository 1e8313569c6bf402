/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that take the time of their MPI calls themselves, function by function, in calls that last long enough for that: prints
   "FUNCTION RANK SECONDS CALLS". */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { BYTES = 4 << 20, TURNS = 800 };
enum { SENDRECV, ISEND, IRECV, WAITALL, SEND, RECV, BARRIER, ALLREDUCE, BCAST, ALLTOALL, FUNCTIONS };
static const char *const names[] = {"MPI_Sendrecv", "MPI_Isend", "MPI_Irecv", "MPI_Waitall", "MPI_Send", "MPI_Recv",
	"MPI_Barrier", "MPI_Allreduce", "MPI_Bcast", "MPI_Alltoall"};
static double seconds[FUNCTIONS];
static int calls[FUNCTIONS];
static char out[BYTES], in[BYTES];

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#define TIMED(function, call)                                                                                          \
	do {                                                                                                           \
		double begun = now();                                                                                  \
		call;                                                                                                  \
		seconds[function] += now() - begun;                                                                    \
		calls[function]++;                                                                                     \
	} while (0)

int main(int argc, char **argv)
{
	int rank, size;
	MPI_Request request[2];
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	int next = (rank + 1) % size, before = (rank + size - 1) % size;
	for (int turn = 0; turn < TURNS; turn++) {
		TIMED(SENDRECV, MPI_Sendrecv(out, BYTES, MPI_CHAR, next, 1, in, BYTES, MPI_CHAR, before, 1,
					MPI_COMM_WORLD, MPI_STATUS_IGNORE));
		TIMED(IRECV, MPI_Irecv(in, BYTES, MPI_CHAR, before, 2, MPI_COMM_WORLD, &request[0]));
		TIMED(ISEND, MPI_Isend(out, BYTES, MPI_CHAR, next, 2, MPI_COMM_WORLD, &request[1]));
		TIMED(WAITALL, MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
		if (rank % 2 == 0)
			TIMED(SEND, MPI_Send(out, BYTES, MPI_CHAR, next, 3, MPI_COMM_WORLD));
		TIMED(RECV, MPI_Recv(in, BYTES, MPI_CHAR, before, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
		if (rank % 2 == 1)
			TIMED(SEND, MPI_Send(out, BYTES, MPI_CHAR, next, 3, MPI_COMM_WORLD));
		TIMED(BARRIER, MPI_Barrier(MPI_COMM_WORLD));
		TIMED(ALLREDUCE, MPI_Allreduce(out, in, BYTES / 8, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
		TIMED(BCAST, MPI_Bcast(in, BYTES, MPI_CHAR, turn % size, MPI_COMM_WORLD));
		TIMED(ALLTOALL, MPI_Alltoall(out, BYTES / size, MPI_CHAR, in, BYTES / size, MPI_CHAR, MPI_COMM_WORLD));
	}
	for (int f = 0; f < FUNCTIONS; f++)
		printf("%s %d %.6f %d\n", names[f], rank, seconds[f], calls[f]);
	fflush(stdout);
	MPI_Finalize();
	return 0;
}
