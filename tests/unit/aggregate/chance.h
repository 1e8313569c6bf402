/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers by chance for tests, the same in every run. */
#ifndef CHANCE_H
#define CHANCE_H

#include <stdint.h>

/* Numbers from 0 to 1 that are the same on all machines. */
static inline double number(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(*state >> 11) / (double)(UINT64_C(1) << 53);
}

/* About a normal distribution, of variance 1. */
static inline double normal(uint64_t *state)
{
	double sum = -6;
	for (unsigned i = 0; i < 12; i++)
		sum += number(state);
	return sum;
}

#endif
