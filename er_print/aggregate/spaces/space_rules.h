/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How code spaces are made, and which of them are listed. */
#ifndef SPACE_RULES_H
#define SPACE_RULES_H

#include <stdbool.h>
#include <stdint.h>

struct space_rules {
	double limit;    /* percent of the whole weight, or time: spaces with more are listed */
	double overlap;  /* percent: spaces that overlap by as much are of one class */
	uint64_t window; /* ns: how long the windows are that phases are found by; 0: as phase_window_choose() has it */
	uint32_t counts; /* of so many appearances at most what the counters counted is kept */
	bool exact;      /* spaces end at the samples, and not with the blocks that these are in */
};
#define SPACE_COUNTS_STANDARD (UINT32_C(1) << 21) /* half a gigabyte with seven counters */
/* The limits are those of CN 112540899 A, claim 1. */
#define SPACE_RULES_STANDARD ((struct space_rules){.limit = 1, .overlap = 90, .counts = SPACE_COUNTS_STANDARD})

#endif
