/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 0 computes for two seconds before it sends; rank 1 waits for that. */
#include <mpi.h>
#include <time.h>

static volatile double sum;

__attribute__((noinline)) static void compute(void)
{
	clock_t end = clock() + 2 * CLOCKS_PER_SEC;
	while (clock() < end)
		for (int i = 1; i < 100000; i++)
			sum += 1.0 / i;
}

int main(int argc, char **argv)
{
	int rank, value = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		compute();
		MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
	} else if (rank == 1) {
		MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
