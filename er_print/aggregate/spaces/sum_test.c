/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums the terms of the binomial distribution from a number of events outwards. */
#include "sum_test.h"
#include <math.h>

static double log_of_term(double events, double all, double share)
{
	return lgamma(all + 1) - lgamma(events + 1) - lgamma(all - events + 1) + events * log(share) +
	       (all - events) * log1p(-share);
}

/* That there are at least so many, no less than are expected: each term is a part of the one before. */
static double upper_tail(double events, double all, double share)
{
	const double precision = 1e-15;
	double sum = 1, term = 1, odds = share / (1 - share);
	for (double k = events; k < all && term > precision * sum; k++) {
		term *= (all - k) / (k + 1) * odds;
		sum += term;
	}
	return exp(log_of_term(events, all, share)) * sum;
}

double sum_test_chance(uint64_t events, uint64_t all, double share)
{
	double some = (double)events, whole = (double)all, expected = whole * share;
	double variance = expected * (1 - share);
	if (!all || variance <= 0)
		return 1;
	if (variance > SUM_EXACT_VARIANCE)
		return erfc(fmax(fabs(some - expected) - .5, 0) / sqrt(2 * variance));
	double tail = some >= expected ? upper_tail(some, whole, share) : upper_tail(whole - some, whole, 1 - share);
	return fmin(2 * tail, 1);
}
