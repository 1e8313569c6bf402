/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The distance of two windows is that of the two before them, but for the cells that they gain and lose: so all pairs of windows
   that are as far apart take one pass. Several such passes are made at once. */
#include "matrix_profile.h"
#include "storage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 8 };

/* Adds the squares of the differences of a cell from LANES cells in a row. */
static void add_squares(
	double sum[LANES], const struct series *series, uint32_t stride, uint32_t cell, uint32_t others, double sign)
{
	for (unsigned d = 0; d < series->dimensions; d++) {
		const double *row = series->values + (uint64_t)d * stride, own = row[cell];
		for (unsigned l = 0; l < LANES; l++) {
			double difference = own - row[others + l];
			sum[l] += sign * (difference * difference);
		}
	}
}

/* A copy whose rows have room for LANES cells more, which are 0. */
static struct series padded(const struct series *series)
{
	struct series copy = *series;
	uint32_t stride = series->count + LANES;
	copy.values = memory_new((size_t)stride * series->dimensions, sizeof *copy.values);
	for (unsigned d = 0; d < series->dimensions; d++)
		memcpy(copy.values + (uint64_t)d * stride, series_row(series, d), series->count * sizeof *copy.values);
	return copy;
}

/* Pairs of windows that are `lag` cells apart, and one to LANES - 1 cells more. */
static void compare_at(
	double *nearest, const struct series *series, uint32_t cells, uint32_t windows, uint32_t lag, uint32_t reach)
{
	uint32_t stride = series->count + LANES, lanes = reach - lag < LANES ? reach - lag + 1 : LANES;
	double sum[LANES] = {0};
	for (uint32_t k = 0; k + 1 < cells; k++)
		add_squares(sum, series, stride, k, k + lag, 1);
	for (uint32_t i = 0; i + lag < windows; i++) {
		add_squares(sum, series, stride, i + cells - 1, i + cells - 1 + lag, 1);
		uint32_t left = windows - lag - i, some = left < lanes ? left : lanes;
		double least = nearest[i];
		for (uint32_t l = 0; l < some; l++) {
			double own = sum[l] > 0 ? sum[l] : 0;
			least = own < least ? own : least;
			nearest[i + lag + l] = own < nearest[i + lag + l] ? own : nearest[i + lag + l];
		}
		nearest[i] = least;
		add_squares(sum, series, stride, i, i + lag, -1);
	}
}

double *matrix_profile(const struct series *series, uint32_t cells, uint32_t apart, uint32_t reach)
{
	uint32_t windows = windows_of(series, cells);
	double *nearest = memory_new(windows, sizeof *nearest);
	struct series copy = padded(series);
	for (uint32_t i = 0; i < windows; i++)
		nearest[i] = INFINITY;
	for (uint32_t lag = apart; lag <= reach && lag < windows; lag += LANES)
		compare_at(nearest, &copy, cells, windows, lag, reach);
	free(copy.values);
	return nearest;
}

double *distance_profile(const struct series *series, uint32_t cells, uint32_t window)
{
	uint32_t windows = windows_of(series, cells);
	double *distance = memory_new(windows, sizeof *distance);
	for (unsigned d = 0; d < series->dimensions; d++) {
		const double *row = series_row(series, d);
		for (uint32_t i = 0; i < windows; i++)
			for (uint32_t k = 0; k < cells; k++) {
				double difference = row[window + k] - row[i + k];
				distance[i] += difference * difference;
			}
	}
	return distance;
}
