/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses, and takes rows back where it turns out that a class has too many. */
#include "sum_choice.h"
#include "number_map.h"
#include "storage.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void sum_choice_begin(struct sum_choice *choice, unsigned counters, uint32_t classes, uint32_t most)
{
	*choice = (struct sum_choice){.counters = counters,
		.classes = classes,
		.most = most,
		.cap = UINT64_C(1) << 32,
		.of = memory_new(classes, sizeof *choice->of),
		.totals = memory_new((size_t)classes * counters, sizeof *choice->totals),
		.factors = memory_new((size_t)classes * counters, sizeof *choice->factors)};
	for (uint32_t c = 0; c < classes; c++)
		choice->of[c].weight = 1;
}

void sum_choice_free(struct sum_choice *choice)
{
	free(choice->sums);
	free(choice->rows);
	free(choice->free_rows);
	free(choice->row_of);
	free(choice->of);
	free(choice->totals);
	free(choice->factors);
	*choice = (struct sum_choice){0};
}

static void take_back(struct sum_choice *choice, uint32_t row)
{
	choice->row_of[choice->rows[row].appearance] = NO_NUMBER;
	choice->rows[row].appearance = NO_NUMBER;
	choice->free_rows = memory_room(choice->free_rows, choice->free_count, sizeof *choice->free_rows);
	choice->free_rows[choice->free_count++] = row;
}

static bool is_chosen(const struct class_choice *class, uint32_t hash)
{
	return (hash & (class->weight - 1)) == 0;
}

static void keep_to_cap(struct sum_choice *choice, uint32_t class)
{
	struct class_choice *own = &choice->of[class];
	while (own->chosen > choice->cap && own->weight < UINT32_C(1) << 31) {
		own->weight *= 2;
		for (uint32_t row = 0; row < choice->row_count; row++) {
			const struct chosen_row *taken = &choice->rows[row];
			if (taken->appearance == NO_NUMBER || taken->class != class || is_chosen(own, taken->hash))
				continue;
			take_back(choice, row);
			own->chosen--;
		}
	}
}

/* How many rows all classes may need with that cap. */
static uint64_t need(const struct sum_choice *choice, uint64_t cap)
{
	uint64_t sum = 0;
	for (uint32_t c = 0; c < choice->classes; c++)
		sum += choice->of[c].appearances < cap ? choice->of[c].appearances : cap;
	return sum;
}

static void lower_cap(struct sum_choice *choice)
{
	while (choice->cap > 1 && choice->needed > choice->most) {
		choice->cap /= 2;
		choice->needed = need(choice, choice->cap);
	}
	for (uint32_t c = 0; c < choice->classes; c++)
		keep_to_cap(choice, c);
}

static uint32_t take_row(struct sum_choice *choice)
{
	size_t size = choice->counters * sizeof *choice->sums;
	uint32_t row = choice->row_count;
	if (choice->free_count) {
		row = choice->free_rows[--choice->free_count];
	} else {
		choice->rows = memory_room(choice->rows, row, sizeof *choice->rows);
		choice->sums = size ? memory_room(choice->sums, row, size) : 0;
		choice->row_count++;
	}
	if (size)
		memset(&choice->sums[(size_t)row * choice->counters], 0, size);
	return row;
}

void sum_choice_add(struct sum_choice *choice, uint32_t class, uint32_t hash)
{
	struct class_choice *own = &choice->of[class];
	uint32_t appearance = choice->count++;
	choice->row_of = memory_room(choice->row_of, appearance, sizeof *choice->row_of);
	choice->row_of[appearance] = NO_NUMBER;
	own->appearances++;
	if (is_chosen(own, hash)) {
		uint32_t row = take_row(choice);
		choice->rows[row] = (struct chosen_row){appearance, class, hash};
		choice->row_of[appearance] = row;
		own->chosen++;
	}
	if (own->appearances <= choice->cap && ++choice->needed > choice->most)
		lower_cap(choice);
	keep_to_cap(choice, class);
}

struct appearance_sum *sum_choice_of(const struct sum_choice *choice, uint32_t appearance)
{
	uint32_t row = choice->row_of[appearance];
	return row == NO_NUMBER || !choice->counters ? 0 : &choice->sums[(size_t)row * choice->counters];
}

void sum_choice_count(struct sum_choice *choice, uint32_t appearance, uint32_t class, unsigned counter,
	const struct appearance_sum *part)
{
	struct appearance_sum *own = sum_choice_of(choice, appearance);
	appearance_sum_add(&choice->totals[(size_t) class * choice->counters + counter], part);
	if (own)
		appearance_sum_add(&own[counter], part);
}

static double factor(double total, double chosen)
{
	return chosen > 0 ? total / chosen : 1;
}

static void find_factors(struct sum_choice *choice)
{
	size_t count = (size_t)choice->classes * choice->counters;
	struct appearance_sum *chosen = memory_new(count, sizeof *chosen);
	for (uint32_t row = 0; row < choice->row_count; row++)
		for (unsigned k = 0; choice->rows[row].appearance != NO_NUMBER && k < choice->counters; k++)
			appearance_sum_add(&chosen[(size_t)choice->rows[row].class * choice->counters + k],
				&choice->sums[(size_t)row * choice->counters + k]);
	for (size_t i = 0; i < count; i++) {
		const struct appearance_sum *all = &choice->totals[i], *some = &chosen[i];
		choice->factors[i] =
			(struct appearance_sum){factor(all->counted, some->counted), factor(all->first, some->first),
				factor(all->rated, some->rated), factor(all->base, some->base)};
	}
	free(chosen);
}

void sum_choice_enlarge(struct sum_choice *choice)
{
	find_factors(choice);
	for (uint32_t row = 0; row < choice->row_count; row++)
		for (unsigned k = 0; choice->rows[row].appearance != NO_NUMBER && k < choice->counters; k++) {
			struct appearance_sum *sum = &choice->sums[(size_t)row * choice->counters + k];
			size_t class = choice->rows[row].class;
			const struct appearance_sum *factors = &choice->factors[class * choice->counters + k];
			*sum = (struct appearance_sum){sum->counted * factors->counted, sum->first * factors->first,
				sum->rated * factors->rated, sum->base * factors->base};
		}
}
