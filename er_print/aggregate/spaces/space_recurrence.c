/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes through the appearances of each class in the order of threads and time. */
#include "space_recurrence.h"
#include "search.h"
#include "storage.h"
#include <math.h>
#include <stdlib.h>

static int by_number(const void *a, const void *b)
{
	return COMPARE(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Sorts the times. */
static struct time_spread spread_of(uint64_t *times, uint32_t count)
{
	struct time_spread spread = {.count = count};
	if (!count)
		return spread;
	qsort(times, count, sizeof *times, by_number);
	spread.least = times[0];
	spread.most = times[count - 1];
	spread.median =
		count % 2 ? times[count / 2] : times[count / 2 - 1] + (times[count / 2] - times[count / 2 - 1]) / 2;
	for (uint32_t i = 0; i < count; i++)
		spread.mean += (double)times[i] / count;
	for (uint32_t i = 0; i < count; i++)
		spread.deviation += ((double)times[i] - spread.mean) * ((double)times[i] - spread.mean) / count;
	spread.deviation = sqrt(spread.deviation);
	return spread;
}

/* times: room for two times of each appearance. */
static struct space_recurrence recurrence_of(
	const struct appearances *appearances, const uint32_t *order, uint32_t count, uint64_t *times)
{
	struct space_recurrence made = {.appearances = count, .threads = count > 0};
	uint64_t *periods = times, *gaps = times + count, longest = 0;
	uint32_t found = 0;
	for (uint32_t i = 1; i < count; i++) {
		const struct appearance *before = &appearances->all[order[i - 1]], *after = &appearances->all[order[i]];
		if (before->thread != after->thread) {
			made.threads++;
			continue;
		}
		periods[found] = after->from - before->from;
		gaps[found] = after->from - before->to;
		if (!found || gaps[found] > longest) {
			longest = gaps[found];
			made.before = order[i - 1];
			made.after = order[i];
		}
		found++;
	}
	made.periods = spread_of(periods, found);
	made.gaps = spread_of(gaps, found);
	return made;
}

struct space_recurrence *space_recurrence_compute(const struct appearances *appearances, uint32_t classes)
{
	struct appearance_order sorted = appearances_by_class(appearances, classes);
	struct space_recurrence *made = memory_new(classes, sizeof *made);
	uint64_t *times = memory_new(2 * (size_t)appearances->count, sizeof *times);
	for (uint32_t c = 0; c < classes; c++) {
		made[c] = recurrence_of(
			appearances, sorted.order + sorted.first[c], sorted.first[c + 1] - sorted.first[c], times);
		made[c].class = c;
	}
	free(times);
	appearance_order_free(&sorted);
	return made;
}

struct space_gap space_gap_read(
	const struct appearances *appearances, const struct space_recurrence *recurrence, uint32_t classes)
{
	struct space_gap gap = {.most = NO_NUMBER};
	double counted[SPACE_COUNTERS_MAX] = {0};
	uint64_t *time = memory_new(classes, sizeof *time);
	for (uint32_t i = recurrence->before + 1; i < recurrence->after; i++) {
		const struct appearance *inside = &appearances->all[i];
		gap.counts.occurrences += inside->intervals;
		gap.counts.time += inside->to - inside->from;
		time[inside->class] += inside->to - inside->from;
		for (unsigned k = 0; k < appearances->counters; k++)
			counted[k] += appearance_sum(appearances, i, k)->counted;
	}
	for (unsigned k = 0; k < appearances->counters; k++)
		gap.counts.counted[k] = whole_number(counted[k]);
	for (uint32_t c = 0; c < classes; c++)
		if (time[c] > gap.most_time) {
			gap.most = c;
			gap.most_time = time[c];
		}
	free(time);
	return gap;
}
