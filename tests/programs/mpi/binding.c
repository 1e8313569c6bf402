/* SPDX-License-Identifier: Apache-2.0 */
/* The work of binding.f90 in C; as C++ by its C binding, too. */
#include <mpi.h>

int main(int argc, char **argv)
{
	int rank, out[10] = {0}, in[10];
	MPI_Request requests[2];
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 5; i++) {
		MPI_Irecv(in, 10, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[0]);
		MPI_Isend(out, 10, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
