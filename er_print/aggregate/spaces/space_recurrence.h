/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recurrence of a class of code spaces: how often it appears, in which intervals of time, and the longest gap between two of its
   appearances in a thread. */
#ifndef SPACE_RECURRENCE_H
#define SPACE_RECURRENCE_H

#include "appearances.h"

/* Times in ns. */
struct time_spread {
	uint32_t count;
	uint64_t least, most, median;
	double mean, deviation; /* of all of them, not of a sample */
};
struct space_recurrence {
	uint32_t class;
	uint32_t appearances, threads;
	struct time_spread periods; /* from one begin to the next, in one thread */
	struct time_spread gaps;    /* from an end to the next begin */
	/* The longest gap: the first of them by thread and time. Its appearances are those between these two. */
	uint32_t before, after;
};

/* Computes that of each class, in their order; the caller frees the array. */
struct space_recurrence *space_recurrence_compute(const struct appearances *appearances, uint32_t classes);

/* Intervals in the longest gap. */
struct space_gap {
	struct space_counts counts; /* of those that are known */
	uint32_t most;              /* the class with the most time there; NO_NUMBER: nothing is in it */
	uint64_t most_time;         /* ns */
};
struct space_gap space_gap_read(
	const struct appearances *appearances, const struct space_recurrence *recurrence, uint32_t classes);

#endif
