/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of calls: nanoseconds of each, as rank 0 of two measures them; the 5th percentile of batches. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BATCHES = 300, CALLS = 1000, DEPTH = 16 };

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return a < b ? -1 : a > b;
}

static void ask_rank(void)
{
	int rank;
	for (int i = 0; i < CALLS; i++)
		MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

static void __attribute__((noinline)) ask_rank_below(int depth)
{
	if (depth > 0)
		ask_rank_below(depth - 1);
	else
		ask_rank();
	__asm__ volatile(""); /* no tail call */
}

static void ask_rank_deep(void)
{
	ask_rank_below(DEPTH);
}

static void to_ourselves(void)
{
	MPI_Request requests[2];
	long out = 0, in;
	for (int i = 0; i < CALLS; i++) {
		MPI_Irecv(&in, 8, MPI_BYTE, 0, 1, MPI_COMM_SELF, &requests[0]);
		MPI_Isend(&out, 8, MPI_BYTE, 0, 1, MPI_COMM_SELF, &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
}

static int other;

static void there_and_back(void)
{
	long message = 0;
	for (int i = 0; i < CALLS; i++) {
		if (other)
			MPI_Send(&message, 8, MPI_BYTE, other, 2, MPI_COMM_WORLD);
		MPI_Recv(&message, 8, MPI_BYTE, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (!other)
			MPI_Send(&message, 8, MPI_BYTE, other, 2, MPI_COMM_WORLD);
	}
}

static void measure(const char *name, void (*batch)(void))
{
	static double cost[BATCHES];
	for (int i = 0; i < BATCHES; i++) {
		double start = now();
		batch();
		cost[i] = (now() - start) / CALLS;
	}
	qsort(cost, BATCHES, sizeof *cost, compare);
	if (other)
		printf("%s %.1f\n", name, cost[BATCHES / 20]);
}

int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	other = !rank;
	if (!rank) {
		measure("rank", ask_rank);
		measure("rank-deep", ask_rank_deep);
		measure("to-ourselves", to_ourselves);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	measure("round-trip", there_and_back);
	MPI_Finalize();
	return 0;
}
