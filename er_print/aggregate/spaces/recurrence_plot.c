/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the appearances of a thread among moments, and compares these. */
#include "recurrence_plot.h"
#include "storage.h"

#include <stdlib.h>

/* The time of a moment in a class, and the longest appearance of that. */
struct share {
	uint32_t class, phase;
	uint64_t time, longest; /* ns */
};
struct shares {
	struct share *all; /* by class */
	uint32_t count;
};

/* Where a moment begins: that of the number RECURRENCE_SIDE is the end of the last one. */
static uint64_t begin_of(const struct recurrence_plot *plot, uint32_t moment)
{
	return plot->from + (uint64_t)((__uint128_t)(plot->to - plot->from) * moment / RECURRENCE_SIDE);
}

static void add_share(struct shares *shares, const struct share *own)
{
	shares->all = memory_room(shares->all, shares->count, sizeof *shares->all);
	shares->all[shares->count++] = *own;
}

/* Adds an appearance to the moments that it is in, of which none is before the one at hand. */
static void divide(const struct recurrence_plot *plot, struct shares *shares, uint32_t *at,
	const struct appearance *own, uint32_t phase)
{
	while (*at + 1 < RECURRENCE_SIDE && begin_of(plot, *at + 1) <= own->from)
		++*at;
	for (uint32_t moment = *at; moment < RECURRENCE_SIDE && begin_of(plot, moment) < own->to; moment++) {
		uint64_t from = begin_of(plot, moment), to = begin_of(plot, moment + 1);
		from = from > own->from ? from : own->from;
		to = to < own->to ? to : own->to;
		if (to > from)
			add_share(&shares[moment], &(struct share){own->class, phase, to - from, to - from});
	}
}

static int by_class(const void *a, const void *b)
{
	const struct share *x = a, *y = b;
	return COMPARE(x->class, y->class) ?: COMPARE(y->longest, x->longest) ?: COMPARE(x->phase, y->phase);
}

/* Makes one of the shares of each class. */
static void join(struct shares *shares)
{
	uint32_t kept = 0;
	if (shares->count)
		qsort(shares->all, shares->count, sizeof *shares->all, by_class);
	for (uint32_t i = 0; i < shares->count; i++) {
		if (kept && shares->all[kept - 1].class == shares->all[i].class)
			shares->all[kept - 1].time += shares->all[i].time;
		else
			shares->all[kept++] = shares->all[i];
	}
	shares->count = kept;
}

static void describe(struct recurrence_moment *moment, const struct shares *shares)
{
	for (uint32_t i = 0; i < shares->count; i++) {
		const struct share *own = &shares->all[i];
		moment->covered += own->time;
		if (own->time <= moment->heaviest)
			continue;
		moment->heaviest = own->time;
		moment->class = own->class;
		moment->phase = own->phase;
	}
}

/* The time that both spend in the same classes. */
static uint64_t common(const struct shares *a, const struct shares *b)
{
	uint64_t sum = 0;
	for (uint32_t i = 0, j = 0; i < a->count && j < b->count;) {
		const struct share *x = &a->all[i], *y = &b->all[j];
		if (x->class == y->class)
			sum += x->time < y->time ? x->time : y->time;
		i += x->class <= y->class;
		j += y->class <= x->class;
	}
	return sum;
}

static void compare(struct recurrence_plot *plot, const struct shares *shares)
{
	double length = (double)(plot->to - plot->from) / RECURRENCE_SIDE;
	for (uint32_t i = 0; i < RECURRENCE_SIDE; i++)
		for (uint32_t j = 0; j <= i; j++) {
			double part = (double)common(&shares[i], &shares[j]) / length;
			/* Moments differ in length by a nanosecond. */
			plot->alike[i][j] = plot->alike[j][i] =
				(unsigned char)((part < 1 ? part : 1) * RECURRENCE_ALIKE + 0.5);
		}
}

struct recurrence_plot *recurrence_plot_make(
	const struct appearances *appearances, const struct space_phases *phases, uint32_t thread)
{
	const struct space_thread *row = &appearances->threads[thread];
	const struct appearance *first = &appearances->all[row->first], *last = first + row->count - 1;
	struct recurrence_plot *plot = memory_new(1, sizeof *plot);
	struct shares *shares = memory_new(RECURRENCE_SIDE, sizeof *shares);
	plot->from = first->from;
	plot->to = last->to > first->from ? last->to : first->from + 1;
	uint32_t at = 0;
	for (uint32_t i = 0; i < row->count; i++)
		divide(plot, shares, &at, first + i, phases->of[row->first + i]);
	for (uint32_t m = 0; m < RECURRENCE_SIDE; m++) {
		join(&shares[m]);
		describe(&plot->moments[m], &shares[m]);
	}
	compare(plot, shares);
	for (uint32_t m = 0; m < RECURRENCE_SIDE; m++)
		free(shares[m].all);
	free(shares);
	return plot;
}
