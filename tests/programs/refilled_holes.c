/* SPDX-License-Identifier: Apache-2.0 */
/* Unmaps a part of its own mapping, allocates, and maps something there again by MAP_FIXED, many times: nobody else may be
   there. Prints how often what it had written there was changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { WHOLE = 8 << 20, HOLE = 1 << 20, ROUNDS = 30, ALLOCATIONS = 20000 };

static void allocate(void)
{
	for (int i = 0; i < ALLOCATIONS; i++) {
		void *volatile block = malloc(64);
		free(block);
	}
}

static int is_changed(const unsigned char *bytes, int value)
{
	for (int i = 0; i < HOLE; i++)
		if (bytes[i] != value)
			return 1;
	return 0;
}

/* Until the kernel finds none above: then a hole is where it puts the next that fits. */
static void fill_gaps(const unsigned char *below)
{
	for (size_t size = HOLE; size >= 4096; size /= 2)
		for (unsigned char *p = 0; p != MAP_FAILED && (!p || p > below);)
			p = mmap(0, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

int main(void)
{
	int changed = 0, flags = MAP_PRIVATE | MAP_ANONYMOUS;
	unsigned char *whole = mmap(0, WHOLE, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (whole == MAP_FAILED)
		return 1;
	for (int round = 0; round < ROUNDS; round++) {
		unsigned char *hole = whole + round % 7 * HOLE + HOLE / 2;
		fill_gaps(whole);
		munmap(hole, HOLE);
		allocate();
		if (mmap(hole, HOLE, PROT_READ | PROT_WRITE, flags | MAP_FIXED, -1, 0) != hole)
			return 1;
		memset(hole, round + 1, HOLE);
		allocate();
		changed += is_changed(hole, round + 1);
	}
	printf("%d\n", changed);
	return 0;
}
