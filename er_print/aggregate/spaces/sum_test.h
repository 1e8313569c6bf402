/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a part of a time, or of instructions, has more or fewer events than its share by chance: by the binomial distribution, as
   if each event hit any place with the same probability. */
#ifndef SUM_TEST_H
#define SUM_TEST_H

#include <stdint.h>

/* The probability, two-sided, that of `all` events so many, or numbers at least as rare on that side, are in a part that is `share`
   (above 0 and below 1) of the whole. By the normal distribution where the variance is above SUM_EXACT_VARIANCE, else exact. */
#define SUM_EXACT_VARIANCE 1e4
double sum_test_chance(uint64_t events, uint64_t all, double share);

#endif
