/* SPDX-License-Identifier: Apache-2.0 */
/* Two ranks that exchange 200000 messages of 4 bytes. */
#include <mpi.h>

int main(int argc, char **argv)
{
	int rank, out = 0, in;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 200000; i++)
		MPI_Sendrecv(&out, 1, MPI_INT, rank, 0, &in, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
