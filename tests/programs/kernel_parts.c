/* SPDX-License-Identifier: Apache-2.0 */
/* A program that is mostly in the kernel, in system calls or, if it is called with "pages", in page faults, and computes between
   them. It prints a line for each function: its name and the CPU time of its calls by the thread's own clock, in seconds. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 4000, CALLS = 500, PAGES = 256, PAGE = 4096, STEPS = 250000 };
static int zero;
static char *pages;

static double used(void)
{
	struct timespec time;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

__attribute__((noinline)) static void call_kernel(void)
{
	char byte;
	for (int i = 0; i < CALLS; i++)
		if (read(zero, &byte, 1) != 1)
			abort();
}

__attribute__((noinline)) static void touch_pages(void)
{
	for (int i = 0; i < PAGES; i++)
		pages[i * PAGE] = 1;
}

__attribute__((noinline)) static void compute(void)
{
	for (volatile int left = STEPS; left; left--)
		;
}

int main(int count, char **words)
{
	double inside = 0, computed = 0;
	(void)words;
	zero = open("/dev/zero", O_RDONLY);
	pages = mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(pages, PAGES * PAGE, MADV_NOHUGEPAGE);
	for (int i = 0; i < ROUNDS; i++) {
		double begin = used();
		if (count > 1)
			touch_pages();
		else
			call_kernel();
		double middle = used();
		compute();
		double end = used();
		madvise(pages, PAGES * PAGE, MADV_DONTNEED);
		inside += middle - begin;
		computed += end - middle;
	}
	printf("%s %.6f\ncompute %.6f\n", count > 1 ? "touch_pages" : "call_kernel", inside, computed);
	return 0;
}
