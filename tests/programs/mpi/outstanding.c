/* SPDX-License-Identifier: Apache-2.0 */
/* One rank that sends ints to itself, M at a time: M times MPI_Irecv, M times MPI_Isend, MPI_Waitall for all. For each M given, the
   least nanoseconds a request of five rounds, "M NANOSECONDS" a line. With `held N` in front another thread has begun N sends and
   N receives and completes them when all else is done; exits with 77 where the library does not offer that. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct requests {
	MPI_Request *requests;
	int *numbers;
	int amount;
};

static struct requests requests_for(int amount)
{
	return (struct requests){
		malloc(2 * sizeof(MPI_Request) * (size_t)amount), calloc(2 * (size_t)amount, sizeof(int)), amount};
}

static void begin(struct requests *r, MPI_Comm communicator)
{
	for (int i = 0; i < r->amount; i++)
		MPI_Irecv(&r->numbers[i], 1, MPI_INT, 0, i, communicator, &r->requests[i]);
	for (int i = 0; i < r->amount; i++)
		MPI_Isend(&r->numbers[r->amount + i], 1, MPI_INT, 0, i, communicator, &r->requests[r->amount + i]);
}

static void complete(struct requests *r)
{
	MPI_Waitall(2 * r->amount, r->requests, MPI_STATUSES_IGNORE);
}

static void measure(int amount)
{
	struct requests r = requests_for(amount);
	double least = 1e18;
	for (int i = 0; i < 5; i++) {
		double since = MPI_Wtime();
		begin(&r, MPI_COMM_SELF);
		complete(&r);
		double time = (MPI_Wtime() - since) * 1e9 / (2.0 * amount);
		least = time < least ? time : least;
	}
	printf("%d %.0f\n", amount, least);
	free(r.requests);
	free(r.numbers);
}

static pthread_barrier_t begun, measured;

static void *hold(void *argument)
{
	struct requests r = requests_for(*(int *)argument);
	begin(&r, MPI_COMM_WORLD);
	pthread_barrier_wait(&begun);
	pthread_barrier_wait(&measured);
	complete(&r);
	free(r.requests);
	free(r.numbers);
	return 0;
}

int main(int argc, char **argv)
{
	int held = argc > 2 && !strcmp(argv[1], "held") ? atoi(argv[2]) : 0, level;
	MPI_Init_thread(&argc, &argv, held ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
	if (held && level != MPI_THREAD_MULTIPLE)
		return MPI_Finalize(), 77;
	pthread_t thread;
	if (held) {
		pthread_barrier_init(&begun, 0, 2);
		pthread_barrier_init(&measured, 0, 2);
		pthread_create(&thread, 0, hold, &held);
		pthread_barrier_wait(&begun);
	}
	for (int k = held ? 3 : 1; k < argc; k++)
		measure(atoi(argv[k]));
	if (held) {
		pthread_barrier_wait(&measured);
		pthread_join(thread, 0);
	}
	MPI_Finalize();
	return 0;
}
