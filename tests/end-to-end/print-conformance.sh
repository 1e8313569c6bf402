#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every command of er_print in every print mode, over two MPI runs with all kinds of data, and over the difference of the two: JSON
# validates, and CSV, HTML, delimited lists and text hold the same.
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi
cat >every.c <<'C'
#include <mpi.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
char grid[400][4096];
void *volatile kept;
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}
__attribute__((noinline)) static void burn(double seconds)
{
	double end = now() + seconds;
	while (now() < end)
		;
}
static void *waiter(void *unused)
{
	pthread_mutex_lock(&queue_lock);
	pthread_mutex_unlock(&queue_lock);
	return unused;
}
__attribute__((noinline)) static void allocate(int size)
{
	kept = malloc(size);
	free(malloc(2 * size));
}
/* MPI_Init would be most of the events. Releases are recorded in a pause, too: some are of blocks that are not known. */
void collector_pause(void) __attribute__((weak));
void collector_resume(void) __attribute__((weak));
int main(int argc, char **argv)
{
	int rank, buffer[100] = {0}, file = open("written", O_CREAT | O_RDWR, 0600);
	pthread_t thread;
	collector_pause();
	MPI_Init(&argc, &argv);
	collector_resume();
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	pthread_mutex_lock(&queue_lock);
	pthread_create(&thread, 0, waiter, 0);
	burn(argc > 1 ? .2 : .1);
#pragma omp parallel num_threads(2)
	{
#pragma omp task
		burn(.01);
#pragma omp taskwait
	}
	pthread_mutex_unlock(&queue_lock);
	pthread_join(thread, 0);
	for (int i = 0; i < 3; i++)
		allocate(1000 << i);
	for (unsigned i = 0; i < sizeof grid / sizeof *grid; i++)
		grid[i][0] = 1;
	if (read(-1, buffer, 1) >= 0)
		return 1;
	for (int i = 0; i < 10 && write(file, buffer, sizeof buffer) > 0; i++)
		;
	if (rank == 0) {
		burn(.05);
		MPI_Send(buffer, 100, MPI_INT, 1, 7, MPI_COMM_WORLD);
	} else {
		MPI_Recv(buffer, 100, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
C
mpicc.openmpi -g -O1 -fopenmp -o every every.c -lpthread || exit 1
for run in before after; do
	# shellcheck disable=SC2046
	"$collect" -p hi -s on -H on -i on -h +page-faults,1 -M OMPI -C "a note" -O said -o $run.er mpirun.openmpi -np 2 -- \
		./every $([ $run = after ] && echo longer) || { cat said; exit 1; }
done
echo 'main;a 3' >E.folded
: >empty
cat >S.feed <<'END'
#er_print samples 1
func f 0 40
block 0 10 -> 10
block 10 30 -> 10 30
block 30 40 ret
counter instructions
counter misses
s 1 0 14 0 0
s 1 1 20 100 3
s 1 2.5 14 10000 -
s 2 0 10 0 100
s 2 1 34 4000 200
END
# The loop comes back often enough to be folded; misses have a period of 10 ms, and one that is odd.
awk 'BEGIN { for (i = 0; i < 100; i++) { print "s 3", i, i % 5 == 4 ? 34 : 10, i * 1000, m + 0; m += (i % 10 < 4 ? 8 : 1) * (int(i / 10) == 5 ? 3 : 1) } }' >>S.feed
/usr/bin/python3 "$TESTS/tools/print_modes.py" before.er before.er after.er
