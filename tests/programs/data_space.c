// SPDX-License-Identifier: Apache-2.0
// Touches fresh pages of variables, blocks, mappings and stacks, each a known number: one page fault a page. Prints
// "NAME pages" for each. data_space
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096 };
#define SEEN    __attribute__((noinline, noclone))
#define ALIGNED __attribute__((aligned(PAGE)))

ALIGNED char grid[400 * PAGE];
ALIGNED static char table[200 * PAGE];
ALIGNED static struct particle {
	double position[3];
	char rest[PAGE - 3 * sizeof(double)];
} particles[100];

SEEN static void touch(volatile char *memory, int first, int pages)
{
	for (int i = first; i < first + pages; i++)
		memory[(long)i * PAGE] = 1; /* line TOUCH */
}

/* Pages of their own, not huge ones, and as fresh as if nobody had been there. */
static void make_small(void *memory, size_t size)
{
	if (madvise(memory, size, MADV_NOHUGEPAGE) != 0)
		exit(3);
}

/* A static of a function, by its own name. */
SEEN static void remember(int pages)
{
	ALIGNED static char kept[60 * PAGE];
	make_small(kept, sizeof kept);
	touch(kept, 0, pages);
}

SEEN static char *make_block(void)
{
	char *block = malloc(256 * PAGE);   /* line BLOCK */
	__asm__ volatile("" : "+r"(block)); /* no tail call */
	return block;
}
SEEN static char *make_mapping(void)
{
	char *mapping =
		mmap(0, 150 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); /* line MAPPING */
	__asm__ volatile("" : "+r"(mapping));
	return mapping;
}
SEEN static void *on_stack(void *unused)
{
	volatile char local[40 * PAGE];
	for (int i = 39; i >= 0; i--)
		local[i * PAGE] = 1;
	__asm__ volatile("" : : "r"(local) : "memory");
	return unused;
}

int main(void)
{
	pthread_t thread;
	make_small(grid, sizeof grid);
	make_small(table, sizeof table);
	make_small(particles, sizeof particles);
	char *block = make_block(), *mapping = make_mapping();
	if (!block || mapping == MAP_FAILED)
		return 4;
	char *pages = (char *)(((unsigned long)block + PAGE - 1) / PAGE * PAGE); /* malloc was in the one before */
	make_small(pages, 255 * PAGE);
	make_small(mapping, 150 * PAGE);
	touch(grid, 0, 300);
	touch(table, 50, 100);
	touch((volatile char *)particles, 0, 70);
	touch((volatile char *)particles[70].rest, 0, 15);
	remember(25);
	touch(pages, 0, 200);
	touch(mapping, 0, 140);
	if (pthread_create(&thread, 0, on_stack, 0) != 0 || pthread_join(thread, 0) != 0)
		return 5;
	free(block);
	munmap(mapping, 150 * PAGE);
	puts("grid 300\ntable 100\nparticles 85\n"
	     "particles[].position 70\nparticles[].rest 15\nremember::kept 25\nmake_block 200\nmake_mapping 140\nstack "
	     "40");
	return 0;
}
