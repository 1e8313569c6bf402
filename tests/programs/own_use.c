/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates and frees a small block many times, which makes the collector write much and needs no page of its own, and touches
   some pages. Prints what the kernel has counted for it since main() began: "FAULTS BYTES". */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { ALLOCATIONS = 300000, PAGES = 500, BLOCK_UNIT = 512 };

int main(void)
{
	struct rusage before, after;
	getrusage(RUSAGE_SELF, &before);
	for (int i = 0; i < ALLOCATIONS; i++) {
		void *volatile block = malloc(64);
		free(block);
	}
	volatile char *pages = mmap(0, PAGES * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED)
		return 1;
	madvise((void *)pages, PAGES * 4096, MADV_NOHUGEPAGE);
	for (int i = 0; i < PAGES; i++)
		pages[i * 4096] = 1;
	getrusage(RUSAGE_SELF, &after);
	printf("%ld %ld\n", after.ru_minflt - before.ru_minflt, (after.ru_oublock - before.ru_oublock) * BLOCK_UNIT);
	return 0;
}
