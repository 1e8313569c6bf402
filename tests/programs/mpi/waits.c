/* SPDX-License-Identifier: Apache-2.0 */
/* Four ranks that are late on purpose, in every way that one can wait for another in MPI. Each prints when it began and ended
   each call: "STEP RANK BEGIN END", in seconds of CLOCK_MONOTONIC. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LARGE = 1 << 20 };
static int rank, step;
static double start, begin;
static char large[LARGE];

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Goes on `late` seconds after the beginning of the step. */
static void at(double late)
{
	double left = start + step * 0.5 + late - now();
	if (left > 0) {
		struct timespec t = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
		nanosleep(&t, 0);
	}
	begin = now();
}

static void done(const char *name)
{
	double end = now();
	printf("%s %d %.9f %.9f\n", name, rank, begin, end);
	fflush(stdout);
}

static void receive_of_two_kinds(void)
{
	MPI_Request request;
	int value = 0;
	if (rank == 0) {
		at(0.2), MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD), done("send");
		step++;
		at(0.2), MPI_Send(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD), done("second_send");
	} else if (rank == 1) {
		at(0), MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
			done("receive");
		step++;
		at(0), MPI_Irecv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request), done("ireceive");
		at(0.05), MPI_Wait(&request, MPI_STATUS_IGNORE), done("wait");
	} else {
		step++;
	}
	step++;
}

static void send_of_two_kinds(void)
{
	MPI_Request request;
	int value = 0;
	if (rank == 0) {
		at(0), MPI_Ssend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD), done("ssend");
		step++;
		at(0), MPI_Isend(large, LARGE, MPI_CHAR, 1, 4, MPI_COMM_WORLD, &request), done("isend");
		at(0.05), MPI_Wait(&request, MPI_STATUS_IGNORE), done("wait_sent");
	} else if (rank == 1) {
		at(0.2), MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE), done("late_receive");
		step++;
		at(0.2), MPI_Recv(large, LARGE, MPI_CHAR, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
			done("large_receive");
	} else {
		step++;
	}
	step++;
}

static void operations(void)
{
	MPI_Request request;
	int value = 1, sum = 0;
	at(0.1 * rank), MPI_Barrier(MPI_COMM_WORLD), done("barrier"), step++;
	at(0.1 * rank), MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), done("allreduce"), step++;
	at(rank == 2 ? 0.2 : 0), MPI_Bcast(&value, 1, MPI_INT, 2, MPI_COMM_WORLD), done("broadcast"), step++;
	at(0.1 * rank), MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD), done("reduce"), step++;
	at(rank == 0 ? 0.2 : 0), MPI_Scan(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), done("scan"), step++;
	at(rank == 3 ? 0.2 : 0), MPI_Ibarrier(MPI_COMM_WORLD, &request), done("ibarrier");
	at(0), MPI_Wait(&request, MPI_STATUS_IGNORE), done("wait_barrier"), step++;
}

static void several_requests(void)
{
	MPI_Request requests[2];
	int values[2], index;
	for (int turn = 0; turn < 2; turn++, step++) {
		if (rank == 1 || rank == 2)
			at(0.1 * rank), MPI_Send(&rank, 1, MPI_INT, 0, turn, MPI_COMM_WORLD),
				done(turn ? "any_send" : "all_send");
		if (rank != 0)
			continue;
		at(0);
		for (int i = 0; i < 2; i++)
			MPI_Irecv(&values[i], 1, MPI_INT, i + 1, turn, MPI_COMM_WORLD, &requests[i]);
		if (turn == 0) {
			at(0), MPI_Waitall(2, requests, MPI_STATUSES_IGNORE), done("waitall");
		} else {
			at(0), MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE), done("waitany");
			at(0), MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE), done("second_waitany");
		}
	}
	if (rank < 2)
		at(rank * 0.2),
			MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 5, values, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD,
				MPI_STATUS_IGNORE),
			done("sendrecv");
	step++;
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	begin = now();
	start = begin + 0.3;
	MPI_Bcast(&start, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	done("start");
	receive_of_two_kinds();
	send_of_two_kinds();
	operations();
	several_requests();
	MPI_Finalize();
	return 0;
}
