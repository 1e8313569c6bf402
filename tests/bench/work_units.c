/* SPDX-License-Identifier: Apache-2.0 */
/* Does UNITS equal pieces of work, each about a tenth of a millisecond of arithmetic and of reading through a table of
   1 MB, and writes for each the raw time (TSC) at its start and end to FILE: what one clock tick costs is the difference
   between pieces with and without one in the same run, whatever the machine's speed does.

   work_units UNITS FILE [LIBRARY]: with the library loaded, such as empty_handler.so */
#include "raw_time.h"
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TABLE = 1 << 18, STEPS = 60000 };
static uint32_t table[TABLE];
static volatile uint32_t sink;

static void work(void)
{
	uint32_t x = 1, sum = 0;
	for (int i = 0; i < STEPS; i++) {
		x = x * 1664525u + 1013904223u;
		sum += table[x >> 14] ^ sum << 3;
	}
	sink = sum;
}

int main(int argc, char **argv)
{
	unsigned units = argc > 2 ? (unsigned)atoi(argv[1]) : 0;
	FILE *file = argc > 2 ? fopen(argv[2], "w") : 0;
	uint64_t *at = calloc(2 * units + 1, sizeof *at);
	if (!file || !at || (argc > 3 && !dlopen(argv[3], RTLD_NOW)))
		return 1;
	for (unsigned i = 0; i < TABLE; i++)
		table[i] = i;
	for (unsigned i = 0; i < 2 * units; i += 2) {
		at[i] = raw_time();
		work();
		at[i + 1] = raw_time();
	}
	for (unsigned i = 0; i < 2 * units; i += 2)
		fprintf(file, "%lu %lu\n", (unsigned long)at[i], (unsigned long)at[i + 1]);
	return fclose(file) != 0;
}
