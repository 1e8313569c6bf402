// SPDX-License-Identifier: Apache-2.0
// Synthetic experiments with OpenMP, of two load objects, in a folder of the test's own. Times are in microseconds.
#ifndef OMP_SYNTHETIC_H
#define OMP_SYNTHETIC_H

#include "synthetic.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ONE = 0x400000, OTHER = 0x500000, UNIT = 1000 };

static char scratch[] = "/tmp/omp-test.XXXXXX";

static void enter_scratch(void)
{
	ck_assert(mkdtemp(scratch) && !chdir(scratch));
}

static void leave_scratch(void)
{
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", scratch);
	ck_assert(!chdir("/") && !system(command));
	strcpy(scratch + sizeof scratch - 7, "XXXXXX");
}

/* Objects without files are one function each. */
static struct synthetic *begin(const char *path)
{
	struct synthetic *s = synthetic_begin(path);
	synthetic_map_object(s, ONE, 0x10000, 0, 0, "/no/one");
	synthetic_map_object(s, OTHER, 0x10000, 0, 0, "/no/other");
	return s;
}

static uint32_t site(struct synthetic *s, uint64_t object, uint64_t caller)
{
	return synthetic_stack(s, (uint64_t[]){object + caller, object + 0x100}, 2, 0);
}

#endif
