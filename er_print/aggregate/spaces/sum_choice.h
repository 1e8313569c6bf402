/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which appearances have sums of their own: all, as long as there is room, and then some of each class at random.

   One of 1, 2, 4 ... of a class is chosen, so that at most `cap` are; the cap is the largest power of two with which all classes
   have room. It depends on how many appearances each class has, and the choice on what an appearance is: the order in which they
   come makes no difference. In the end the sums of those that were chosen are enlarged so that they add up to the class's
   (calibration: Deville and Saerndal, Journal of the American Statistical Association 87, 1992). Sums over parts of a class are
   estimates then. */
#ifndef SUM_CHOICE_H
#define SUM_CHOICE_H

#include <math.h>
#include <stdint.h>

/* Sums of a counter in an appearance, or in several; whole numbers where nothing was enlarged. */
struct appearance_sum {
	double counted;     /* in all intervals in which it is known */
	double first;       /* of that, in the first interval that is of the class */
	double rated, base; /* where the base of rates is known as well: what was counted, and the base */
};
struct sum_choice {
	unsigned counters;
	uint32_t classes;
	uint64_t most;               /* rows; one more while one is added */
	uint64_t cap;                /* of the rows of a class */
	uint64_t needed;             /* rows that all classes may need with it */
	struct appearance_sum *sums; /* [row * counters + counter] */
	struct chosen_row {
		uint32_t appearance, class, hash; /* appearance NO_NUMBER: the row is free */
	} * rows;
	uint32_t row_count;
	uint32_t *free_rows, free_count;
	uint32_t *row_of; /* by appearance; NO_NUMBER: it has none */
	uint32_t count;   /* of appearances */
	struct class_choice {
		uint32_t appearances, chosen, weight; /* one of `weight` is chosen */
	} * of;                                       /* by class */
	struct appearance_sum *totals;                /* [class * counters + counter]: of all its appearances */
	struct appearance_sum *factors; /* likewise: by how much the sums of those that were chosen are enlarged */
};

void sum_choice_begin(struct sum_choice *choice, unsigned counters, uint32_t classes, uint32_t most);
void sum_choice_free(struct sum_choice *choice);
/* The next appearance. hash: of what it is. */
void sum_choice_add(struct sum_choice *choice, uint32_t class, uint32_t hash);
/* The sums of an appearance, by counter; 0: it has none. Valid until the next one is added. */
struct appearance_sum *sum_choice_of(const struct sum_choice *choice, uint32_t appearance);
/* Adds to an appearance's sums, whether it has any of its own or not, and to its class's. */
void sum_choice_count(struct sum_choice *choice, uint32_t appearance, uint32_t class, unsigned counter,
	const struct appearance_sum *part);
/* Enlarges the sums of those that were chosen. */
void sum_choice_enlarge(struct sum_choice *choice);

static inline uint64_t whole_number(double sum)
{
	return (uint64_t)llround(sum);
}
static inline void appearance_sum_add(struct appearance_sum *sum, const struct appearance_sum *part)
{
	sum->counted += part->counted;
	sum->first += part->first;
	sum->rated += part->rated;
	sum->base += part->base;
}

#endif
