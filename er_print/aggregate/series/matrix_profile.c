/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The distance of two windows is that of the two before them, but for the cells that they gain and lose: so all pairs of windows
   that are as far apart take one pass. Several such passes are made at once, and the squares of a window's cells are kept until it
   loses them. */
#include "matrix_profile.h"
#include "storage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 16 };

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

/* Passes over pairs of windows that are `lag` cells apart, and one to LANES - 1 cells more. */
struct passes {
	const struct series *series; /* padded */
	uint32_t cells, windows, lag, lanes;
	double *kept;    /* [cell % cells][lane] the squares of the differences of the cells of the window */
	double *nearest; /* [window] */
	double *by_lane; /* [window][lane] the same of a window from later ones: each lane's minimum waits for no other */
};

/* The squares of the differences of a cell from those `lag` and more cells later. */
static inline void square(const struct passes *passes, uint32_t cell, double *restrict squares)
{
	uint32_t stride = passes->series->count + LANES;
	for (unsigned d = 0; d < passes->series->dimensions; d++) {
		const double *row = passes->series->values + (uint64_t)d * stride, *others = row + cell + passes->lag;
		const double own = row[cell];
		for (unsigned l = 0; l < LANES; l++)
			squares[l] = (d ? squares[l] : 0) + (own - others[l]) * (own - others[l]);
	}
}

/* The window gains a cell and loses the one whose squares are kept. */
static inline void move_on(double *restrict sum, const double *restrict squares, double *restrict kept)
{
	for (unsigned l = 0; l < LANES; l++) {
		sum[l] += squares[l] - kept[l];
		kept[l] = squares[l];
	}
}

/* The same, and takes the sums for the window, by lane, and for those that it is compared with. Rounding may have made one of 0
   negative. */
static inline void move_and_note(double *restrict sum, const double *restrict squares, double *restrict kept,
	double *restrict by_lane, double *restrict others)
{
	for (unsigned l = 0; l < LANES; l++) {
		sum[l] += squares[l] - kept[l];
		kept[l] = squares[l];
		double own = sum[l] > 0 ? sum[l] : 0;
		others[l] = own < others[l] ? own : others[l];
		by_lane[l] = own < by_lane[l] ? own : by_lane[l];
	}
}

/* Likewise where not all lanes are pairs of windows. */
static void note_some(const struct passes *passes, const double *sum, uint32_t window)
{
	uint32_t left = passes->windows - passes->lag - window;
	for (uint32_t l = 0; l < passes->lanes && l < left; l++) {
		double *own = &passes->nearest[window], *other = &passes->nearest[window + passes->lag + l];
		*own = fmin(*own, fmax(sum[l], 0));
		*other = fmin(*other, fmax(sum[l], 0));
	}
}

static void compare_at(const struct passes *passes)
{
	uint32_t cells = passes->cells, place = cells - 1;
	double sum[LANES] = {0}, squares[LANES];
	memset(passes->kept, 0, (size_t)cells * LANES * sizeof *passes->kept);
	for (uint32_t k = 0; k + 1 < cells; k++) {
		square(passes, k, squares);
		move_on(sum, squares, passes->kept + (size_t)k * LANES);
	}
	for (uint32_t i = 0; i + passes->lag < passes->windows; i++) {
		double *kept = passes->kept + (size_t)place * LANES;
		square(passes, i + cells - 1, squares);
		place = place + 1 == cells ? 0 : place + 1;
		if (passes->lanes == LANES && i + passes->lag + LANES <= passes->windows) {
			move_and_note(sum, squares, kept, passes->by_lane + (size_t)i * LANES,
				passes->nearest + i + passes->lag);
			continue;
		}
		move_on(sum, squares, kept);
		note_some(passes, sum, i);
	}
}

static double *infinities(size_t count)
{
	double *all = memory_new(count, sizeof *all);
	for (size_t i = 0; i < count; i++)
		all[i] = INFINITY;
	return all;
}

double *matrix_profile(const struct series *series, uint32_t cells, uint32_t apart, uint32_t reach)
{
	uint32_t windows = windows_of(series, cells);
	struct series copy = padded(series);
	struct passes passes = {.series = &copy,
		.cells = cells,
		.windows = windows,
		.kept = memory_new((size_t)cells * LANES, sizeof *passes.kept),
		.nearest = infinities(windows),
		.by_lane = infinities((size_t)windows * LANES)};
	for (passes.lag = apart; passes.lag <= reach && passes.lag < windows; passes.lag += LANES) {
		passes.lanes = reach - passes.lag < LANES ? reach - passes.lag + 1 : LANES;
		compare_at(&passes);
	}
	for (size_t i = 0; i < (size_t)windows * LANES; i++)
		passes.nearest[i / LANES] = fmin(passes.nearest[i / LANES], passes.by_lane[i]);
	free(passes.by_lane);
	free(passes.kept);
	free(copy.values);
	return passes.nearest;
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
