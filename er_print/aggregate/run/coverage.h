/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of what was to be recorded was: the CPU time of all processes that is known of, by the kernel's own account, and
   which of it is missing. Times in nanoseconds. */
#ifndef COVERAGE_H
#define COVERAGE_H

#include "data.h"
#include <stdbool.h>
#include <stdint.h>

/* A process of which something is missing, or several that are not worth a line each. */
struct missing {
	uint32_t experiment; /* index of the one that knows it */
	uint32_t count;      /* of processes */
	uint64_t pid;        /* 0: not known */
	const char *name;    /* of the program; or of the one that started it: */
	bool child;
	bool part; /* the process itself was recorded, but not all of it */
	const char *why;
	bool time_known;
	uint64_t time;
};

struct coverage {
	uint64_t recorded, whole; /* CPU time; what was paused is in neither */
	struct missing *missing;
	uint32_t missing_count;
	uint64_t ends;     /* of `whole`: after processes had recorded their last; 0 unless it is much */
	uint64_t parts;    /* of `whole`: what processes lack that is not much of each; 0 unless it is much of all */
	uint32_t parts_of; /* how many processes */
	uint64_t events_lost;
	const char *events_lost_why; /* of most of them */
};
struct coverage coverage_of(const struct data *data);
void coverage_free(struct coverage *coverage);
static inline bool coverage_is_whole(const struct coverage *coverage)
{
	return !coverage->missing_count && !coverage->ends && !coverage->parts && !coverage->events_lost;
}

#endif
