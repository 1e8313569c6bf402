/* SPDX-License-Identifier: Apache-2.0 */
/* Phases whose code differs: it computes, touches fresh pages and computes again, 14 times, and sleeps for 20 ms after every other
   time. */
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

enum { TURNS = 14, PAGE = 4096, AREA = 256 * PAGE, STEPS = 1 << 16 };
static const int64_t COMPUTING = 30000000, TOUCHING = 20000000; /* ns of CPU time */

static int64_t used(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static volatile unsigned sum;

__attribute__((noinline)) static void compute(void)
{
	for (int64_t end = used() + COMPUTING; used() < end;)
		for (unsigned i = 0; i < STEPS; i++)
			sum = sum * 5 + i;
}

__attribute__((noinline)) static void touch(void)
{
	for (int64_t end = used() + TOUCHING; used() < end;) {
		char *area = mmap(0, AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (area == MAP_FAILED)
			return;
		for (char *at = area; at < area + AREA; at += PAGE)
			*at = 1;
		munmap(area, AREA);
	}
}

__attribute__((noinline)) static void rest(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 20000000}, 0);
}

int main(void)
{
	for (unsigned turn = 0; turn < TURNS; turn++) {
		compute();
		touch();
		compute();
		if (turn % 2)
			rest();
	}
	printf("%u\n", sum & 1);
	return 0;
}
