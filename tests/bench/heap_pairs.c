/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of a malloc and its free, in nanoseconds of CPU time: heap_pairs DEPTH [ROUNDS]. The least of the rounds counts, so
   that other load on the machine does not. DEPTH: frames of the stack, from the program's start. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))
enum { PAIRS = 50000, FRAMES_AROUND = 5 };

static void *volatile block;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static NOINLINE void work(void)
{
	for (int i = 0; i < PAIRS; i++) {
		block = malloc(64);
		free(block);
	}
}

static NOINLINE int descend(int n)
{
	volatile char pad[48];
	pad[0] = (char)n;
	if (n > 0)
		descend(n - 1);
	else
		work();
	return pad[0];
}

int main(int count, char **arguments)
{
	int depth = count > 1 ? atoi(arguments[1]) : 12, rounds = count > 2 ? atoi(arguments[2]) : 100;
	double least = 1e18;
	for (int round = 0; round < rounds; round++) {
		double start = now();
		descend(depth - FRAMES_AROUND);
		double each = (now() - start) / PAIRS;
		least = each < least ? each : least;
	}
	printf("depth %d: %.1f ns\n", depth, least);
	return 0;
}
