/* SPDX-License-Identifier: Apache-2.0 */
/* Descends DEPTH levels of one recursive function, PASSES times, with the same work at each level before and after the call:
   the depth of its samples is spread evenly from 1 to DEPTH. */
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned sink;

static inline void work(void)
{
	for (unsigned i = 0; i < 16000; i++)
		sink += i;
}

__attribute__((noinline)) static int descend(int left)
{
	work();
	int below = left > 1 ? descend(left - 1) : 0;
	work();
	return below + 1;
}

int main(int argc, char **argv)
{
	int depth = argc > 1 ? atoi(argv[1]) : 10000, passes = argc > 2 ? atoi(argv[2]) : 1;
	long levels = 0;
	for (int pass = 0; pass < passes; pass++)
		levels += descend(depth);
	printf("%ld levels\n", levels);
	return levels != (long)depth * passes;
}
