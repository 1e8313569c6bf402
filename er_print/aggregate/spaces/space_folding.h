/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folding: all appearances of a class laid on one another, so that what was counted in them shows at which part of an appearance it
   comes (Servat and others, Detailed Performance Analysis Using Coarse Grain Sampling, 2009). */
#ifndef SPACE_FOLDING_H
#define SPACE_FOLDING_H

#include "appearances.h"

#define FOLDING_PARTS 10u
/* Appearances that are fewer say more about themselves than about a usual one. */
#define FOLDING_APPEARANCES_LEAST 20u

struct space_folding {
	uint32_t appearances; /* that were folded: those with at least two intervals */
	uint64_t time;        /* ns: of all of them */
	/* By part and counter. What an interval counted is divided by time among the parts that it is in; the sums are exact. */
	struct appearance_sum sums[FOLDING_PARTS][SPACE_COUNTERS_MAX];
};

/* The class must be of the classes by which the appearances were read, with the same filter. */
void space_folding_read(struct space_folding *folding, struct space_model *model, const struct space_classes *classes,
	const struct appearances *appearances, const struct event_filter *filter, uint32_t class);

#endif
