/* SPDX-License-Identifier: Apache-2.0 */
/* A ring: 1000 messages of 1024 bytes from each rank to the next. */
#include <mpi.h>

enum { MESSAGES = 1000, BYTES = 1024, TAG = 7 };

int main(int argc, char **argv)
{
	static char bytes[BYTES];
	int rank, size;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	int next = (rank + 1) % size, before = (rank + size - 1) % size;
	for (int i = 0; i < MESSAGES; i++) {
		if (rank == 0)
			MPI_Send(bytes, BYTES, MPI_CHAR, next, TAG, MPI_COMM_WORLD);
		MPI_Recv(bytes, BYTES, MPI_CHAR, before, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank != 0)
			MPI_Send(bytes, BYTES, MPI_CHAR, next, TAG, MPI_COMM_WORLD);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
