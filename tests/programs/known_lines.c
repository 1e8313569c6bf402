/* SPDX-License-Identifier: Apache-2.0 */
/* Spends about 70, 20 and 10 % of its time on three lines that are marked SEVENTY, TWENTY (in an inlined function of
   known_lines.h) and TEN, and measures the shares with its own CPU clock: lines "MARK NANOSECONDS". The work of
   SEVENTY is done in a function of its own, so that its line is a call site; the call is marked CALL. */
#include "known_lines.h"
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

/* A macro's code belongs to the line that uses it. */
#define MIX(x, factor, term, divisor) (((x)*factor + term) ^ ((x) / ((x) % divisor + 5)))

static uint64_t cpu(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

__attribute__((noinline)) static unsigned long seventy(unsigned long x, unsigned long count)
{
	/* clang-format off */
	while (count--) { x = MIX(x, 2862933555777941757ul, 3037000493ul, 11); } return x; /* line SEVENTY */
	/* clang-format on */
}

__attribute__((noinline)) static unsigned long ten(unsigned long x, unsigned long count)
{
	/* clang-format off */
	while (count--) { x = MIX(x, 3935559000370003845ul, 2691343689449507681ul, 13); } return x; /* line TEN */
	/* clang-format on */
}

__attribute__((noinline)) static unsigned long twenty(unsigned long x, unsigned long count)
{
	while (count--)
		x = step_inlined(x); /* line INLINED-CALL */
	return x;
}

int main(int argc, char **argv)
{
	unsigned long unit = argc > 1 ? strtoul(argv[1], 0, 10) : 100000, x = 1;
	uint64_t sums[3] = {0};
	for (int round = 0; round < 100; round++) {
		uint64_t start = cpu();
		x = seventy(x, 7 * unit); /* line CALL */
		uint64_t then = cpu();
		sums[0] += then - start;
		x = twenty(x, 2 * unit);
		start = cpu();
		sums[1] += start - then;
		x = ten(x, unit);
		sums[2] += cpu() - start;
	}
	sink = x;
	printf("SEVENTY %" PRIu64 "\nTWENTY %" PRIu64 "\nTEN %" PRIu64 "\n", sums[0], sums[1], sums[2]);
	return 0;
}
