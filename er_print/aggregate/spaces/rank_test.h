/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rank test of Wilcoxon, Mann and Whitney for two groups: whether the values of one are larger, or smaller, than those of the
   other by more than chance; two-sided, with middle ranks for equal values. */
#ifndef RANK_TEST_H
#define RANK_TEST_H

#include <stdint.h>

/* Values by number, and their ranks. */
struct rank_scale {
	uint64_t *rank; /* by value: twice its rank, from 2; twice, since equal values share the middle of theirs */
	uint32_t count;
	double ties; /* the sum of t^3 - t over groups of t equal values */
};
void rank_scale_make(struct rank_scale *scale, const double *values, uint32_t count);
void rank_scale_free(struct rank_scale *scale);

/* The probability that a group of `group` of the values, chosen by chance, has a sum of ranks at least as far from the expected one
   as this sum of `rank` has; 1 if there is no other value. Exact for up to RANK_EXACT_MAX values, else by the normal distribution
   with corrections for ties and continuity. */
#define RANK_EXACT_MAX 40u
double rank_scale_chance(const struct rank_scale *scale, uint64_t sum, uint32_t group);

#endif
