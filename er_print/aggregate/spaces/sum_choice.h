/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which appearances have sums of their own while they are read: all, as long as there is room, and then some of each class at random.

   Of a class one of 1, 2, 4 ... is chosen, so that at most `cap` are; the cap is the largest power of two with which all classes have
   room. It depends on how many appearances each class has, and the choice on what an appearance is: the order in which they come
   makes no difference. A sum over those that were chosen, each times the weight of its class, is an estimate of that over all
   (Horvitz and Thompson, Journal of the American Statistical Association 47, 1952). */
#ifndef SUM_CHOICE_H
#define SUM_CHOICE_H

#include <stdint.h>

/* Sums of a counter in an appearance. */
struct appearance_sum {
	uint64_t counted;     /* in all intervals in which it is known */
	uint64_t first;       /* of that, in the first interval that is of the class */
	uint64_t rated, base; /* where the base of rates is known as well: what was counted, and the base */
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
};

void sum_choice_begin(struct sum_choice *choice, unsigned counters, uint32_t classes, uint32_t most);
void sum_choice_free(struct sum_choice *choice);
/* The next appearance. hash: of what it is. */
void sum_choice_add(struct sum_choice *choice, uint32_t class, uint32_t hash);
/* The sums of an appearance, by counter; 0: it has none. Valid until the next one is added. */
struct appearance_sum *sum_choice_of(const struct sum_choice *choice, uint32_t appearance);
/* Multiplies all sums by the weights of their classes. */
void sum_choice_weigh(struct sum_choice *choice);

#endif
