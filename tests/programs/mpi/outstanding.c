/* SPDX-License-Identifier: Apache-2.0 */
/* One rank that sends ints to itself, M at a time: M times MPI_Irecv, M times MPI_Isend, MPI_Waitall for all. For each M given, the
   least nanoseconds a request of five rounds, "M NANOSECONDS" a line. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double round_of(int amount, MPI_Request *requests, int *numbers)
{
	double begin = MPI_Wtime();
	for (int i = 0; i < amount; i++)
		MPI_Irecv(&numbers[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
	for (int i = 0; i < amount; i++)
		MPI_Isend(&numbers[amount + i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[amount + i]);
	MPI_Waitall(2 * amount, requests, MPI_STATUSES_IGNORE);
	return (MPI_Wtime() - begin) * 1e9 / (2.0 * amount);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	for (int k = 1; k < argc; k++) {
		int amount = atoi(argv[k]);
		MPI_Request *requests = malloc(2 * sizeof *requests * (size_t)amount);
		int *numbers = calloc(2 * (size_t)amount, sizeof *numbers);
		double least = 1e18;
		for (int i = 0; i < 5; i++) {
			double time = round_of(amount, requests, numbers);
			least = time < least ? time : least;
		}
		printf("%d %.0f\n", amount, least);
		free(requests);
		free(numbers);
	}
	MPI_Finalize();
	return 0;
}
