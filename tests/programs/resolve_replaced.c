/* SPDX-License-Identifier: Apache-2.0 */
/* Burns CPU time in one function, whose name is BURN, until its argument's milliseconds of it have passed. Built again with
   another BURN it is another program at the same path. */
#include <stdlib.h>
#include <time.h>

#ifndef BURN
#define BURN burn_here
#endif

volatile unsigned sink;

__attribute__((noinline)) static void BURN(void)
{
	for (unsigned i = 0; i < 100000; i++)
		sink += i * i;
}

int main(int argc, char **argv)
{
	clock_t end = clock() + (argc > 1 ? atoi(argv[1]) : 200) * (CLOCKS_PER_SEC / 1000);
	while (clock() < end)
		BURN();
}
