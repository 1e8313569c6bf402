/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A quantity of a thread by time: its value in each of so many equal cells of time. */
#ifndef SERIES_H
#define SERIES_H

#include <stdbool.h>
#include <stdint.h>

struct series {
	double *values;      /* [dimension][cell] */
	unsigned dimensions; /* of each cell's value */
	uint32_t count;      /* cells */
	uint64_t from;       /* where the first one begins, in ns since the founder's start */
	double cell;         /* how long one is, in ns */
};
/* The values of a dimension, by cell. */
static inline double *series_row(const struct series *series, unsigned dimension)
{
	return series->values + (uint64_t)dimension * series->count;
}

/* Its cells in pairs, of which each has the mean; a last cell without another is left out. The caller frees the values. */
struct series series_halved(const struct series *series);

/* Moves and scales the values to a mean of 0 and, over all dimensions together, a variance of 1. False: they are all the same, but
   for rounding, and stay as they are. */
bool series_standardise(struct series *series);

#endif
