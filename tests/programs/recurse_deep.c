/* SPDX-License-Identifier: Apache-2.0 */
/* DEPTH [PASSES [WORK]]: descends DEPTH levels of one recursive function, PASSES times, with the same work at each level before and
   after the call: the depth of its samples is spread evenly from 1 to DEPTH. */
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned sink;
static unsigned work_done = 16000;

static inline void work(void)
{
	for (unsigned i = 0; i < work_done; i++)
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
	work_done = argc > 3 ? (unsigned)atoi(argv[3]) : work_done;
	for (int pass = 0; pass < passes; pass++)
		levels += descend(depth);
	printf("%ld levels\n", levels);
	return levels != (long)depth * passes;
}
