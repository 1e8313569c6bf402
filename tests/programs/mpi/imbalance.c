/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks do the same work in each turn; rank 1 does more before it, for which the others wait. */
#include <mpi.h>
#include <time.h>

static volatile double sink;

static void work(double seconds)
{
	struct timespec t;
	double end = 0;
	do {
		for (int i = 0; i < 1000; i++)
			sink += i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
		double now = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
		end = end ? end : now + seconds;
		if (now >= end)
			return;
	} while (1);
}

__attribute__((noinline)) static void extra(void)
{
	work(10e-3);
	sink++;
}

__attribute__((noinline)) static void common(void)
{
	work(5e-3);
	sink++;
}

int main(int argc, char **argv)
{
	int rank, sum;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int turn = 0; turn < 150; turn++) {
		if (rank == 1)
			extra();
		common();
		MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
