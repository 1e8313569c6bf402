/* SPDX-License-Identifier: Apache-2.0 */
/* Two ranks whose calls have many thousands of different stacks; then rank 0 aborts the job, of a stack that is new as well. */
#include <mpi.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

NOINLINE static void walk(unsigned path, int depth);

NOINLINE static void left(unsigned path, int depth)
{
	walk(path >> 1, depth - 1);
	__asm__ volatile("");
}

NOINLINE static void right(unsigned path, int depth)
{
	walk(path >> 1, depth - 1);
	__asm__ volatile("" ::: "memory");
}

NOINLINE static void walk(unsigned path, int depth)
{
	int rank;
	if (!depth)
		MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	else if (path & 1)
		right(path, depth);
	else
		left(path, depth);
	__asm__ volatile("");
}

NOINLINE static void give_up(int depth)
{
	if (depth)
		give_up(depth - 1);
	else
		MPI_Abort(MPI_COMM_WORLD, 42);
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	unsigned paths = argc > 1 ? (unsigned)atoi(argv[1]) : 4096;
	for (unsigned path = 0; path < paths; path++)
		walk(path, 14);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		give_up(30);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
