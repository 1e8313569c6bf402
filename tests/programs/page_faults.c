// SPDX-License-Identifier: Apache-2.0
// Touches fresh pages at known lines, each for the first time: page_faults PAGES THREADS. Without huge pages and without
// what a file would bring along, each touch is one minor fault at its line.
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static long pages, page;

static char *fresh(void)
{
	char *memory = mmap(0, (size_t)(pages * page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED || madvise(memory, (size_t)(pages * page), MADV_NOHUGEPAGE) != 0)
		exit(3);
	return memory;
}

__attribute__((noinline)) static void touch(char *memory, long count)
{
	for (long i = 0; i < count; i++)
		memory[i * page] = 1; /* line TOUCH */
}

/* Three pages of four: so lines have other counts than all. */
__attribute__((noinline)) static void touch_backwards(char *memory, long count)
{
	for (long i = 4 * (count / 4) - 1; i >= 0; i--)
		if (i % 4)
			memory[i * page] = 1; /* line BACKWARDS */
}

static void *work(void *unused)
{
	(void)unused;
	char *one = fresh(), *two = fresh();
	touch(one, pages);
	touch_backwards(two, pages);
	return 0;
}

int main(int argc, char **argv)
{
	pages = argc > 1 ? atol(argv[1]) : 4000;
	long threads = argc > 2 ? atol(argv[2]) : 1;
	page = sysconf(_SC_PAGESIZE);
	pthread_t others[64];
	for (long i = 1; i < threads && i < 64; i++)
		if (pthread_create(&others[i], 0, work, 0) != 0)
			return 4;
	work(0);
	for (long i = 1; i < threads && i < 64; i++)
		pthread_join(others[i], 0);
	return 0;
}
