/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks values, and counts how many choices of a group are as extreme. */
#include "rank_test.h"
#include "search.h"
#include "storage.h"
#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b, void *context)
{
	const double *values = context;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	return COMPARE(values[i], values[j]) ?: COMPARE(i, j);
}

void rank_scale_make(struct rank_scale *scale, const double *values, uint32_t count)
{
	*scale = (struct rank_scale){.rank = memory_new(count, sizeof *scale->rank), .count = count};
	uint32_t *order = memory_new(count, sizeof *order);
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	if (count)
		qsort_r(order, count, sizeof *order, by_value, (void *)values);
	for (uint32_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && values[order[end]] <= values[order[i]];)
			end++;
		double equal = end - i;
		scale->ties += equal * equal * equal - equal;
		for (uint32_t j = i; j < end; j++)
			scale->rank[order[j]] = (uint64_t)i + 1 + end;
	}
	free(order);
}

void rank_scale_free(struct rank_scale *scale)
{
	free(scale->rank);
}

/* ways[n][s]: the choices of n of the values whose sum of ranks is s. */
static double exact_chance(const struct rank_scale *scale, uint64_t sum, uint32_t group)
{
	uint32_t width = scale->count * (scale->count + 1) + 1;
	double *ways = memory_new((size_t)(group + 1) * width, sizeof *ways), all = 0, extreme = 0;
	ways[0] = 1;
	for (uint32_t i = 0; i < scale->count; i++)
		for (uint32_t n = i + 1 < group ? i + 1 : group; n; n--)
			for (uint32_t s = width; s-- > scale->rank[i];)
				ways[(size_t)n * width + s] += ways[(size_t)(n - 1) * width + s - scale->rank[i]];
	int64_t expected = (int64_t)group * (scale->count + 1), distance = llabs((int64_t)sum - expected);
	for (uint32_t s = 0; s < width; s++) {
		double some = ways[(size_t)group * width + s];
		all += some;
		extreme += llabs((int64_t)s - expected) >= distance ? some : 0;
	}
	free(ways);
	return extreme / all;
}

double rank_scale_chance(const struct rank_scale *scale, uint64_t sum, uint32_t group)
{
	double count = scale->count, others = count - group;
	if (!group || group >= scale->count)
		return 1;
	if (scale->count <= RANK_EXACT_MAX)
		return exact_chance(scale, sum, group);
	double spread = group * others / 12 * (count + 1 - scale->ties / (count * (count - 1)));
	double distance = fabs((double)sum / 2 - group * (count + 1) / 2) - .5;
	return spread <= 0 || distance <= 0 ? 1 : erfc(distance / sqrt(2 * spread));
}
