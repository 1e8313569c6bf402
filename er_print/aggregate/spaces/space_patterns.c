/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums the appearances of each class by their neighbours. */
#include "space_patterns.h"
#include "search.h"
#include "storage.h"
#include <stdlib.h>

uint32_t appearance_neighbour(const struct appearances *appearances, uint32_t appearance, bool before)
{
	const struct appearance *own = &appearances->all[appearance], *end = appearances->all + appearances->count;
	do {
		if (before ? own->after_none : own + 1 == end || own[1].after_none)
			return NO_NUMBER;
		own += before ? -1 : 1;
	} while (own->passage);
	return own->class;
}

static void add(struct space_pattern *pattern, const struct appearances *appearances, uint32_t appearance)
{
	const struct appearance *own = &appearances->all[appearance];
	pattern->appearances++;
	pattern->intervals += own->intervals;
	pattern->time += own->to - own->from;
	for (unsigned i = 0; i < appearances->counters; i++)
		appearance_sum_add(&pattern->sums[i], appearance_sum(appearances, appearance, i));
}

static int by_size(const void *a, const void *b)
{
	const struct space_pattern *x = a, *y = b;
	return COMPARE(y->appearances, x->appearances) ?: COMPARE(x->neighbour, y->neighbour);
}

/* Adds the patterns of one side of a class, if it has several neighbours there. */
static void add_side(struct space_patterns *patterns, const struct appearances *appearances, const uint32_t *order,
	uint32_t count, bool before)
{
	struct number_map place_of = {0};
	uint32_t first = patterns->count, different = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (appearances->all[order[i]].passage)
			continue;
		uint32_t neighbour = appearance_neighbour(appearances, order[i], before);
		uint32_t *place = number_map_place(&place_of, neighbour);
		if (*place == NO_NUMBER) {
			*place = patterns->count;
			different += neighbour != NO_NUMBER;
			patterns->all = memory_room(patterns->all, patterns->count, sizeof *patterns->all);
			patterns->all[patterns->count++] = (struct space_pattern){
				.class = appearances->all[order[i]].class, .follows = before, .neighbour = neighbour};
		}
		add(&patterns->all[*place], appearances, order[i]);
	}
	number_map_free(&place_of);
	if (different < 2)
		patterns->count = first;
	else
		qsort(patterns->all + first, patterns->count - first, sizeof *patterns->all, by_size);
}

void space_patterns_compute(struct space_patterns *patterns, const struct appearances *appearances,
	const struct appearance_order *order, uint32_t classes)
{
	*patterns = (struct space_patterns){0};
	for (uint32_t c = 0; c < classes; c++) {
		const uint32_t *own = order->order + order->first[c];
		uint32_t count = order->first[c + 1] - order->first[c];
		add_side(patterns, appearances, own, count, true);
		add_side(patterns, appearances, own, count, false);
	}
}

void space_patterns_free(struct space_patterns *patterns)
{
	free(patterns->all);
}
