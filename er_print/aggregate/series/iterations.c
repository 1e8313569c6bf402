/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses a window among those whose nearest other one is very near, and looks for all its repetitions. */
#include "iterations.h"
#include "matrix_profile.h"
#include "search.h"
#include "series_period.h"
#include "storage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Windows are compared with those no more than so many cells away: all pairs of a long series would take time by its square. */
static const uint32_t REACH = 4096;
enum { CANDIDATES = 8, GOOD_LEAST = 2 };
/* An odd window is so many standard deviations above the median, as the median deviation has them; so far from its nearest one, by
   the distance of any two windows; and so many times as far as the median. */
static const double ODD_DEVIATIONS = 6, ODD_LEAST = 0.1, ODD_TIMES = 2, DEVIATION_OF_MEDIAN = 1.4826;

struct profile {
	const struct iterations *iterations;
	double *distance; /* [window] squares of the distances to the nearest */
	double *varies;   /* [window] the square of its distance from its own mean */
	uint32_t windows, apart;
};

static int by_number(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return COMPARE(*x, *y);
}

static double median_of(const double *values, uint32_t count)
{
	double *sorted = memory_new(count, sizeof *sorted);
	memcpy(sorted, values, count * sizeof *sorted);
	if (count)
		qsort(sorted, count, sizeof *sorted, by_number);
	double median = count ? sorted[count / 2] : 0;
	free(sorted);
	return median;
}

/* The median of those that are no less than a thousandth of the mean. */
static double typical_of(const double *values, uint32_t count)
{
	const double little = 0.001;
	double *large = memory_new(count, sizeof *large), mean = 0;
	uint32_t some = 0;
	for (uint32_t i = 0; i < count; i++)
		mean += values[i] / count;
	for (uint32_t i = 0; i < count; i++)
		if (values[i] >= little * mean)
			large[some++] = values[i];
	double typical = median_of(large, some);
	free(large);
	return typical;
}

/* The distance of any two windows is twice as many as its cells, since the series has a variance of 1. */
static double alike_of(const struct iterations *iterations, double distance)
{
	return 1 - distance / (2.0 * iterations->window);
}

static double *variation_of(const struct series *series, uint32_t cells)
{
	uint32_t windows = windows_of(series, cells);
	double *varies = memory_new(windows, sizeof *varies);
	for (unsigned d = 0; d < series->dimensions; d++) {
		const double *row = series_row(series, d);
		double sum = 0, squares = 0;
		for (uint32_t i = 0; i < series->count; i++) {
			sum += row[i];
			squares += row[i] * row[i];
			if (i + 1 < cells)
				continue;
			uint32_t first = i + 1 - cells;
			varies[first] += squares - sum * sum / cells;
			sum -= row[first];
			squares -= row[first] * row[first];
		}
	}
	return varies;
}

struct ranked {
	double distance;
	uint32_t window;
};

static int by_distance(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	return COMPARE(x->distance, y->distance) ?: COMPARE(x->window, y->window);
}

/* All windows, the nearest first. The caller frees them. */
static struct ranked *ranked_windows(const double *distance, uint32_t windows)
{
	struct ranked *ranked = memory_new(windows, sizeof *ranked);
	for (uint32_t i = 0; i < windows; i++)
		ranked[i] = (struct ranked){distance[i], i};
	if (windows)
		qsort(ranked, windows, sizeof *ranked, by_distance);
	return ranked;
}

/* Whether the window begins `apart` cells or more from each of these. */
static bool is_apart(const uint32_t *others, uint32_t count, uint32_t window, uint32_t apart)
{
	for (uint32_t i = 0; i < count; i++)
		if ((others[i] > window ? others[i] - window : window - others[i]) < apart)
			return false;
	return true;
}

/* Marks the cells from which another window may not begin. */
static void take(bool *taken, uint32_t windows, uint32_t window, uint32_t apart)
{
	uint32_t from = window > apart - 1 ? window - (apart - 1) : 0;
	for (uint32_t i = from; i < windows && i < window + apart; i++)
		taken[i] = true;
}

/* The windows that are like one, itself among them. */
struct repetitions {
	uint32_t *starts, count; /* the most alike first */
	double alike;            /* the sum of how much they are, of those that are at all */
	double middle;           /* of the median one */
};

/* Windows are taken from the nearest on, as long as they overlap none before by much, and up to half way to the median window:
   from the last of a quarter of as many as have room, of a few the third. */
static struct repetitions repetitions_of(const struct profile *profile, uint32_t window)
{
	const struct iterations *own = profile->iterations;
	uint32_t windows = profile->windows, good = windows / own->window / 4;
	double *distance = distance_profile(&own->series, own->window, window), limit = INFINITY;
	struct ranked *ranked = ranked_windows(distance, windows);
	double median = ranked[windows / 2].distance;
	bool *taken = memory_new(windows, sizeof *taken);
	struct repetitions found = {.starts = memory_new(windows, sizeof *found.starts)};
	good = good > GOOD_LEAST ? good : GOOD_LEAST;
	for (uint32_t i = 0; i < windows && ranked[i].distance <= limit; i++) {
		if (taken[ranked[i].window])
			continue;
		take(taken, windows, ranked[i].window, profile->apart);
		found.starts[found.count++] = ranked[i].window;
		found.alike += fmax(alike_of(own, ranked[i].distance), 0);
		if (limit == INFINITY && found.count > good)
			limit = (ranked[i].distance + median) / 2;
	}
	found.middle = alike_of(own, distance[found.starts[found.count / 2]]);
	free(distance);
	free(ranked);
	free(taken);
	return found;
}

static int by_start(const void *a, const void *b)
{
	return COMPARE(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* The motif is the window that others are most like, of those that are nearest to another and vary at least half as much as is
   typical. */
static void find_motif(struct iterations *iterations, const struct profile *profile)
{
	struct ranked *ranked = ranked_windows(profile->distance, profile->windows);
	uint32_t tried[CANDIDATES], candidates = 0;
	double least = typical_of(profile->varies, profile->windows) / 2;
	struct repetitions best = {0};
	for (uint32_t i = 0; i < profile->windows && candidates < CANDIDATES; i++) {
		uint32_t window = ranked[i].window;
		if (profile->varies[window] < least || !is_apart(tried, candidates, window, profile->apart))
			continue;
		tried[candidates++] = window;
		struct repetitions own = repetitions_of(profile, window);
		bool better = own.alike > best.alike;
		free(better ? best.starts : own.starts);
		if (!better)
			continue;
		best = own;
		iterations->motif = window;
	}
	free(ranked);
	iterations->starts = best.starts;
	iterations->count = best.count;
	iterations->alike = best.middle;
	if (best.count)
		qsort(best.starts, best.count, sizeof *best.starts, by_start);
}

/* The windows that overlap an odd stretch are all odd. Of those that overlap at least half of this one, the one whose neighbours
   on both sides are like others has the most of the stretch; of several the nearest to this one. */
static uint32_t placed(const struct profile *profile, uint32_t window)
{
	uint32_t cells = profile->iterations->window, best = window;
	double least = INFINITY;
	for (uint32_t away = 0; away <= cells / 2; away++)
		for (int side = -1; side <= 1; side += 2) {
			uint32_t at = side < 0 ? window - away : window + away;
			if (at < cells || at + cells >= profile->windows)
				continue;
			double beside = profile->distance[at - cells] + profile->distance[at + cells];
			if (beside < least) {
				least = beside;
				best = at;
			}
		}
	return best;
}

/* Between the first repetition and the last: these may be of an iteration and of what is before it or after it. */
static void find_odd(struct iterations *iterations, const struct profile *profile)
{
	uint32_t first = iterations->starts[0] + iterations->window, last = iterations->starts[iterations->count - 1];
	if (first + iterations->window > last)
		return;
	uint32_t count = last - iterations->window - first + 1;
	struct ranked *ranked = ranked_windows(profile->distance + first, count);
	double *roots = memory_new(count, sizeof *roots);
	for (uint32_t i = 0; i < count; i++)
		roots[i] = sqrt(profile->distance[first + i]);
	double median = median_of(roots, count), least = ODD_LEAST * 2 * iterations->window;
	for (uint32_t i = 0; i < count; i++)
		roots[i] = fabs(roots[i] - median);
	double limit = median + ODD_DEVIATIONS * DEVIATION_OF_MEDIAN * median_of(roots, count);
	iterations->usual = alike_of(iterations, median * median);
	uint32_t found[ODD_MOST];
	for (uint32_t i = count; i-- > 0 && iterations->odd_count < ODD_MOST;) {
		double distance = ranked[i].distance;
		uint32_t window = first + ranked[i].window, start = placed(profile, window);
		if (sqrt(distance) <= limit || distance < least || distance < ODD_TIMES * median * median)
			break;
		/* A cell that begins in a stretch which was found may be odd by that. */
		if (!is_apart(found, iterations->odd_count, window, iterations->window + 1) ||
			!is_apart(found, iterations->odd_count, start, iterations->window))
			continue;
		found[iterations->odd_count] = start;
		iterations->odd[iterations->odd_count++] = (struct odd_window){start, alike_of(iterations, distance)};
	}
	free(roots);
	free(ranked);
}

/* A copy of the series, halved so often. */
static struct series resolved(const struct series *series, unsigned halvings)
{
	struct series copy = *series;
	copy.values = memory_new((size_t)series->count * series->dimensions, sizeof *copy.values);
	memcpy(copy.values, series->values, (size_t)series->count * series->dimensions * sizeof *copy.values);
	for (unsigned i = 0; i < halvings; i++) {
		struct series half = series_halved(&copy);
		free(copy.values);
		copy = half;
	}
	return copy;
}

/* The window of a given length, which is no more than that of the series, at the resolution that series_period_find() has for
   such. */
static struct series_period given_period(const struct series *series, double period)
{
	unsigned halvings = 0;
	double cells = period / series->cell;
	for (; cells > PERIOD_CELLS_MOST; halvings++)
		cells /= 2;
	return (struct series_period){halvings, (uint32_t)lround(cells), 0};
}

enum iterations_found iterations_find(struct iterations *iterations, const struct series *series, double period)
{
	struct series_period own;
	*iterations = (struct iterations){.series = resolved(series, 0)};
	bool varies = series_standardise(&iterations->series);
	bool found = varies && (period > 0 || series_period_find(&own, &iterations->series));
	free(iterations->series.values);
	if (!found)
		return varies ? ITERATIONS_NO_PERIOD : ITERATIONS_CONSTANT;
	if (period > series->cell * series->count)
		return ITERATIONS_TOO_SHORT;
	if (period > 0)
		own = given_period(series, period);
	if (own.cells < ITERATION_CELLS_LEAST || own.cells > (series->count >> own.halvings) / 2)
		return ITERATIONS_TOO_SHORT;
	iterations->series = resolved(series, own.halvings);
	iterations->halvings = own.halvings;
	iterations->window = own.cells;
	struct profile profile = {.iterations = iterations, .apart = own.cells - own.cells / 4};
	profile.windows = windows_of(&iterations->series, own.cells);
	varies = series_standardise(&iterations->series);
	profile.distance = matrix_profile(&iterations->series, own.cells, profile.apart, REACH);
	profile.varies = variation_of(&iterations->series, own.cells);
	if (varies)
		find_motif(iterations, &profile);
	if (iterations->count)
		find_odd(iterations, &profile);
	free(profile.distance);
	free(profile.varies);
	if (iterations->count > 1)
		return ITERATIONS_FOUND;
	iterations_free(iterations);
	return varies ? ITERATIONS_NO_PERIOD : ITERATIONS_CONSTANT;
}

void iterations_free(struct iterations *iterations)
{
	free(iterations->series.values);
	free(iterations->starts);
}

double iterations_period(const struct iterations *iterations)
{
	uint64_t sum = 0, pairs = 0;
	for (uint32_t i = 1; i < iterations->count; i++) {
		uint32_t gap = iterations->starts[i] - iterations->starts[i - 1];
		if (gap > iterations->window + iterations->window / 4)
			continue;
		sum += gap;
		pairs++;
	}
	return pairs ? (double)sum / (double)pairs * iterations->series.cell : 0;
}
