/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the program that the user named, and saying beforehand whether it can be recorded. */
#ifndef TARGET_H
#define TARGET_H

#include "executable.h"
#include <limits.h>
#include <stdbool.h>

struct target {
	char path[PATH_MAX]; /* what to exec */
	struct executable kind;
};

/* Looks for a file of that name, then along PATH, and checks it: see the man page, "Targets". */
bool target_find(const char *name, struct target *target, struct error *error);

#endif
