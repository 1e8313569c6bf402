/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts appearances by their rates. */
#include "space_extremes.h"
#include "search.h"
#include "storage.h"
#include <stdlib.h>

static int by_rate(const void *a, const void *b)
{
	const struct space_extreme *x = a, *y = b;
	return COMPARE(x->rate, y->rate) ?: COMPARE(x->appearance, y->appearance);
}

static int by_rate_downwards(const void *a, const void *b)
{
	const struct space_extreme *x = a, *y = b;
	return COMPARE(y->rate, x->rate) ?: COMPARE(x->appearance, y->appearance);
}

/* The first of those with rates above the mean, or below it. Returns how many there are. */
static uint32_t take(
	struct space_extreme taken[EXTREMES_SHOWN], struct space_extreme *all, uint32_t count, double mean, bool high)
{
	uint32_t some = 0;
	if (count)
		qsort(all, count, sizeof *all, high ? by_rate_downwards : by_rate);
	for (; some < count && some < EXTREMES_SHOWN && (high ? all[some].rate > mean : all[some].rate < mean); some++)
		taken[some] = all[some];
	return some;
}

void space_extremes_find(struct space_extremes *extremes, const struct appearances *appearances,
	const uint32_t *indexes, uint32_t count, unsigned counter, struct space_event event)
{
	struct space_extreme *all = memory_new(count, sizeof *all);
	double rated = 0, base = 0;
	uint32_t known = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct appearance_sum *sum = appearance_sum(appearances, indexes[i], counter);
		const struct appearance_sum own = appearance_own_sum(appearances, indexes[i], counter);
		rated += sum->rated;
		base += sum->base;
		if (own.base > 0)
			all[known++] = (struct space_extreme){indexes[i], own.rated / own.base};
	}
	double mean = base > 0 ? rated / base : 0;
	extremes->worst_count = take(extremes->worst, all, known, mean, !event.more_is_better);
	extremes->best_count = take(extremes->best, all, known, mean, event.more_is_better);
	free(all);
}
