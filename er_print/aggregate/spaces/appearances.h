/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Appearances of classes of code spaces: stretches of a thread's time, as long as possible, in which all intervals are of one
   class. */
#ifndef APPEARANCES_H
#define APPEARANCES_H

#include "search.h"
#include "space_classes.h"
#include "sum_choice.h"
#include <math.h>

struct appearance {
	uint64_t from, to; /* ns since the founder's start */
	uint32_t thread;   /* in `threads` */
	uint32_t class;
	uint32_t intervals;
	bool after_none; /* no interval that is kept ends where it begins */
	bool passage; /* one interval in a caller of what comes before and after: the thread only went from one to the other */
};
struct appearances {
	struct space_thread {
		uint32_t experiment, number;
		uint32_t first, count; /* its appearances */
	} * threads;                   /* by experiment and number */
	uint32_t thread_count;
	struct appearance *all; /* by thread, then time */
	uint32_t count;
	struct sum_choice sums; /* of those that were chosen, enlarged to those of all */
	unsigned counters;
	uint64_t total[SPACE_COUNTERS_MAX]; /* counted in all of them */
	unsigned base;                      /* the counter that rates are by, the one of instructions */
	bool by_time
		[SPACE_COUNTERS_MAX]; /* the counter's rates are by time, in ns: those of times and of the base, all without it */
};

/* Reads those of what the filter keeps; the classes are of the same filter. */
void appearances_read(struct appearances *appearances, struct space_model *model, const struct space_classes *classes,
	const struct event_filter *filter);
void appearances_free(struct appearances *appearances);

/* An appearance's part of sums over several: of one that was not chosen all is 0, as if nothing were known. */
static inline const struct appearance_sum *appearance_sum(
	const struct appearances *appearances, uint32_t appearance, unsigned counter)
{
	static const struct appearance_sum none = {0, 0, 0, 0};
	const struct appearance_sum *sums = sum_choice_of(&appearances->sums, appearance);
	return sums ? &sums[counter] : &none;
}

/* The sums of that appearance before they were enlarged, as whole numbers. */
struct appearance_sum appearance_own_sum(const struct appearances *appearances, uint32_t appearance, unsigned counter);

/* Where in `threads` a thread is; thread_count: it has no appearances. */
static inline uint32_t appearances_thread(const struct appearances *appearances, uint32_t experiment, uint32_t number)
{
	const struct space_thread *threads = appearances->threads;
	uint32_t count = appearances->thread_count;
	uint32_t t = (uint32_t)FIRST_WHERE(i, count,
		threads[i].experiment > experiment ||
			(threads[i].experiment == experiment && threads[i].number >= number));
	return t < count && threads[t].experiment == experiment && threads[t].number == number ? t : count;
}

/* The count by the base of the counter's rates; NAN: that is not known. */
static inline double appearance_sum_rate(const struct appearance_sum *sum)
{
	return sum->base > 0 ? sum->rated / sum->base : NAN;
}

/* Appearances by class, and each class's by thread and time. */
struct appearance_order {
	uint32_t *first; /* by class, and one more: its place in `order` */
	uint32_t *order;
};
struct appearance_order appearances_by_class(const struct appearances *appearances, uint32_t classes);
void appearance_order_free(struct appearance_order *order);

#endif
