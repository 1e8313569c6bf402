/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares a series with itself, each period at the resolution at which it has PERIOD_CELLS_LEAST to PERIOD_CELLS_MOST cells: the
   parts of an iteration come a little earlier or later, and long periods do not take longer to find than short ones. */
#include "series_period.h"
#include "search.h"
#include "storage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The shortest of the periods that are as good as the best but for this part is the one: its multiples are as good. */
static const double NEARLY = 0.85;
static const double MULTIPLE_WITHIN = 0.06;
/* A correlation that chance does not reach: so much, and so much more by the root of one by the number of periods. */
static const double ALIKE_LEAST = 0.2, ALIKE_BY_ROOT = 1.0;

struct search {
	struct series levels[32]; /* by how often it is halved */
	unsigned level_count;
	double *sums; /* [cell] of the values before it */
	double *fast; /* [cell] without what changes more slowly than the period */
	struct series_period found[512];
	unsigned found_count;
};

/* Each value without the mean of the cells around it, `lag` to each side, or as many as there are. */
static void take_slow_away(const struct search *search, const double *row, uint32_t count, uint32_t lag)
{
	search->sums[0] = 0;
	for (uint32_t i = 0; i < count; i++)
		search->sums[i + 1] = search->sums[i] + row[i];
	for (uint32_t i = 0; i < count; i++) {
		uint32_t from = i > lag ? i - lag : 0, to = count - i > lag ? i + lag : count;
		search->fast[i] = row[i] - (search->sums[to] - search->sums[from]) / (to - from);
	}
}

/* How alike one period and the next one are: sums over as many cells. */
struct pair {
	double products, early, late;
};

static double energy_of(const struct pair *pair)
{
	return (pair->early + pair->late) / 2;
}

static int by_energy(const void *a, const void *b)
{
	double x = energy_of(a), y = energy_of(b);
	return COMPARE(x, y);
}

/* The correlation over all pairs, where none counts more than the median one of those in which something varies: one period that
   is many times as high as all others says no more than they. Pairs in which nothing varies count as unlike, so that what comes in
   bursts has the period of the bursts. Sorts the pairs. */
static double correlation(struct pair *pairs, uint32_t count)
{
	const double little = 0.001;
	double sum = 0, products = 0, weights = 0;
	qsort(pairs, count, sizeof *pairs, by_energy);
	for (uint32_t i = 0; i < count; i++)
		sum += energy_of(&pairs[i]);
	uint32_t vary = (uint32_t)FIRST_WHERE(i, count, energy_of(&pairs[i]) > little * sum / count);
	if (vary == count)
		return 0;
	double most = energy_of(&pairs[vary + (count - vary) / 2]);
	weights = vary * most;
	for (uint32_t i = vary; i < count; i++) {
		double own = energy_of(&pairs[i]), weight = own < most ? own : most;
		products += weight * pairs[i].products / own;
		weights += weight;
	}
	return products / weights;
}

static double alike_at(const struct search *search, unsigned level, uint32_t lag)
{
	const struct series *series = &search->levels[level];
	uint32_t count = (series->count - 1) / lag; /* the last one may be shorter */
	struct pair *pairs = memory_new(count, sizeof *pairs);
	for (unsigned d = 0; d < series->dimensions; d++) {
		take_slow_away(search, series_row(series, d), series->count, lag);
		const double *fast = search->fast;
		for (uint32_t i = 0; i + lag < series->count; i++) {
			struct pair *pair = &pairs[i / lag];
			pair->products += fast[i] * fast[i + lag];
			pair->early += fast[i] * fast[i];
			pair->late += fast[i + lag] * fast[i + lag];
		}
	}
	double alike = correlation(pairs, count);
	free(pairs);
	return alike;
}

/* Adds the periods of this resolution that are better than those beside them, and than chance. */
static void search_level(struct search *search, unsigned level)
{
	double alike[PERIOD_CELLS_MOST + 2];
	uint32_t count = search->levels[level].count, most = count / PERIODS_LEAST;
	most = most < PERIOD_CELLS_MOST ? most : PERIOD_CELLS_MOST;
	for (uint32_t lag = PERIOD_CELLS_LEAST - 1; lag <= most + 1; lag++)
		alike[lag] = alike_at(search, level, lag);
	for (uint32_t lag = PERIOD_CELLS_LEAST; lag <= most; lag++) {
		double least = ALIKE_LEAST + ALIKE_BY_ROOT * sqrt((double)lag / count);
		if (alike[lag] < least || alike[lag] < alike[lag - 1] || alike[lag] <= alike[lag + 1] ||
			search->found_count == sizeof search->found / sizeof *search->found)
			continue;
		search->found[search->found_count++] = (struct series_period){level, lag, alike[lag]};
	}
}

/* Whether the best period is a multiple of this one, which is nearly as good at the same resolution. At its own, which is coarser,
   a multiple is better where there is noise, but not twice as good. */
static bool explains(const struct search *search, const struct series_period *own, const struct series_period *best)
{
	double times = ldexp(best->cells, (int)best->halvings) / ldexp(own->cells, (int)own->halvings);
	uint32_t whole = (uint32_t)lround(times), lag = whole * own->cells;
	if (whole < 1 || fabs(times - whole) > MULTIPLE_WITHIN * whole)
		return false;
	if (lag >= search->levels[own->halvings].count || 2 * own->alike < best->alike)
		return false;
	return own->alike >= NEARLY * alike_at(search, own->halvings, lag);
}

static bool choose(struct series_period *period, const struct search *search)
{
	const struct series_period *best = 0;
	for (unsigned i = 0; i < search->found_count; i++)
		if (!best || search->found[i].alike > best->alike)
			best = &search->found[i];
	/* Resolutions, and the periods of each, come in the order of the length. */
	for (unsigned i = 0; i < search->found_count; i++)
		if (explains(search, &search->found[i], best)) {
			*period = search->found[i];
			return true;
		}
	return false;
}

bool series_period_find(struct series_period *period, const struct series *series)
{
	struct search *search = memory_new(1, sizeof *search);
	search->sums = memory_new((size_t)series->count + 1, sizeof *search->sums);
	search->fast = memory_new(series->count, sizeof *search->fast);
	search->levels[0] = *series;
	for (unsigned level = 0; search->levels[level].count >= PERIODS_LEAST * PERIOD_CELLS_LEAST; level++) {
		search_level(search, level);
		search->levels[level + 1] = series_halved(&search->levels[level]);
		search->level_count = level + 1;
	}
	bool found = choose(period, search);
	for (unsigned level = 1; level <= search->level_count; level++)
		free(search->levels[level].values);
	free(search->sums);
	free(search->fast);
	free(search);
	return found;
}
