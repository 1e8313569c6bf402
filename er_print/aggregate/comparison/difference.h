/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a difference of two sampled sums is from what sampling alone makes. A sum of n samples has the standard error sqrt(n)
   samples (Poisson); as a share of a total of N, for which the other run is stretched to the same total, sqrt(n (1 - n / N))
   (binomial). */
#ifndef DIFFERENCE_H
#define DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>

/* A sum in one group. */
struct sampled_sum {
	double value;  /* as it was counted */
	double total;  /* of all rows, likewise */
	double sample; /* what one sample stands for; 0: it was not sampled */
	double scale;  /* what is shown is value * scale */
	bool share;    /* the scale makes totals of this metric equal */
};

/* after - before, scaled. */
double difference_of(const struct sampled_sum *before, const struct sampled_sum *after);
/* The standard error of that; 0: nothing of it is sampled. */
double difference_error(const struct sampled_sum *before, const struct sampled_sum *after);

/* Whether they differ by no more than 2 standard errors: sampling alone makes as much. */
bool difference_within_error(const struct sampled_sum *before, const struct sampled_sum *after);

/* The probability that a normal variable is more than so many standard deviations above its mean. */
double normal_above(double deviations);
/* Its inverse, of a probability between 0 and 1/2. */
double normal_deviations(double probability);

/* Holm's step-down test: which of `count` hypotheses, by probability, are rejected so that the chance of one wrong rejection is
   at most `level` over all of them (Holm, Scand. J. Statist. 6, 1979). */
void holm(const double *probabilities, bool *rejected, size_t count, double level);

#endif
