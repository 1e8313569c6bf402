/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Patterns: the same class of code spaces beside different ones, in time. */
#ifndef SPACE_PATTERNS_H
#define SPACE_PATTERNS_H

#include "appearances.h"

/* Appearances of a class beside one neighbour; those that are passages have none. */
struct space_pattern {
	uint32_t class;
	bool follows;       /* the neighbour is before it, else after it */
	uint32_t neighbour; /* its class; NO_NUMBER: none, where the thread begins or ends, or samples are missing */
	uint32_t appearances, intervals;
	uint64_t time; /* ns */
	struct appearance_sum sums[SPACE_COUNTERS_MAX];
};
struct space_patterns {
	struct space_pattern *all; /* by class, before and after, appearances downwards, neighbour */
	uint32_t count;
};

/* The neighbour of an appearance on that side, as in struct space_pattern; passages are none. */
uint32_t appearance_neighbour(const struct appearances *appearances, uint32_t appearance, bool before);

/* Those of the classes that have at least two different neighbours on a side. */
void space_patterns_compute(struct space_patterns *patterns, const struct appearances *appearances,
	const struct appearance_order *order, uint32_t classes);
void space_patterns_free(struct space_patterns *patterns);

#endif
