// SPDX-License-Identifier: Apache-2.0
// As many page faults a second as the machine can: fault_storm ROUNDS touches 512 pages, gives them back and touches them again,
// 512 x ROUNDS times. Prints the faults and the seconds that they took.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { PAGE = 4096, PAGES = 512 };

__attribute__((noinline)) static void touch(volatile char *memory)
{
	for (int i = 0; i < PAGES; i++)
		(void)memory[(long)i * PAGE]; /* the page of zeroes: nothing is copied or cleared */
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 1000;
	char *memory = mmap(0, (size_t)PAGES * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED || madvise(memory, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE) != 0)
		return 3;
	struct timespec start, end;
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (long round = 0; round < rounds; round++) {
		touch(memory);
		madvise(memory, (size_t)PAGES * PAGE, MADV_DONTNEED);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%ld %.3f\n", rounds * PAGES,
		(double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9);
	return 0;
}
