// SPDX-License-Identifier: Apache-2.0
// Reaches a size limit of a megabyte of heap events: what was allocated before is released after it or never, in every way;
// what is allocated after it is never released, or in the places of what was there before. Ends with what a report has to
// say: leaks and bytes of what was allocated before.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { KEPT = 100, GIVEN_BACK = 1000, MAPPED = 1 << 20 };

static void *blocks[GIVEN_BACK];

static void *map(void)
{
	return mmap(0, MAPPED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

// Sizes that vary, so that one place serves many sizes.
static void churn(int times)
{
	for (int i = 0; i < times; i++) {
		void *volatile block = malloc((size_t)(20 + i % 200));
		free(block);
	}
}

int main(void)
{
	char *leaked = map(), *part = map(), *whole = map();
	for (int i = 0; i < KEPT; i++)
		if (!malloc(1000))
			return 1;
	for (int i = 0; i < GIVEN_BACK; i++)
		blocks[i] = malloc((size_t)(24 + i % 100 * 16));
	void *moved = malloc(70), *failed = malloc(90);
	churn(200000);
	// The limit is behind us. In the places of old blocks are new ones now, which are no leaks of before.
	for (int i = 0; i < GIVEN_BACK; i++)
		free(blocks[i]);
	for (int i = 0; i < GIVEN_BACK; i++)
		blocks[i] = malloc((size_t)(24 + i % 100 * 16));
	munmap(whole, MAPPED);
	munmap(part, MAPPED / 4);
	moved = realloc(moved, 700);
	void *volatile none = realloc(failed, (size_t)1 << 62); // `failed` is still there
	for (int i = 0; i < 1000; i++) {
		char *again = map();
		if (again == MAP_FAILED || munmap(again, MAPPED) != 0)
			return 1;
	}
	int wrong = none || !moved || leaked == MAP_FAILED || part == MAP_FAILED;
	for (int i = 0; i < GIVEN_BACK; i += 2)
		free(blocks[i]);
	// KEPT, `failed`, the mapping, and three quarters of another.
	char line[100];
	int size = snprintf(line, sizeof line, "%d %d\n", KEPT + 3, KEPT * 1000 + 90 + MAPPED + MAPPED / 4 * 3);
	return wrong || fwrite(line, 1, (size_t)size, stdout) != (size_t)size;
}
