/* SPDX-License-Identifier: Apache-2.0 */
/* A relay: each rank computes for half a second when the one before it has; then rank 0 computes once more, on nobody's account,
   while it is waited for by none. */
#include <mpi.h>
#include <time.h>

static volatile double sum;

__attribute__((noinline)) static void compute(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 2;
	while (clock() < end)
		for (int i = 1; i < 100000; i++)
			sum += 1.0 / i;
}

__attribute__((noinline)) static void aside(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 4;
	while (clock() < end)
		for (int i = 1; i < 100000; i++)
			sum += 1.0 / i;
}

int main(int argc, char **argv)
{
	int rank, size, value = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rank > 0)
		MPI_Recv(&value, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	compute();
	if (rank + 1 < size)
		MPI_Send(&value, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
	if (rank == 0)
		aside();
	MPI_Finalize();
	return 0;
}
