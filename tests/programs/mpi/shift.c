/* SPDX-License-Identifier: Apache-2.0 */
/* shift TURNS: each rank sends 8 bytes to the next one and gets 8 from the one before, TURNS times. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int turns = argc > 1 ? atoi(argv[1]) : 1, rank, size;
	long out = 1, in = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	int next = (rank + 1) % size, before = (rank + size - 1) % size;
	for (int i = 0; i < turns; i++)
		MPI_Sendrecv(
			&out, 8, MPI_BYTE, next, 0, &in, 8, MPI_BYTE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return in != 1;
}
