// SPDX-License-Identifier: Apache-2.0
// Which appearances keep their counts: all if there is room; else as many of each class as the largest power of two allows, the
// same ones in any order. Sums of a class's are enlarged to what all of it have.
#include "chance.h"
#include "number_map.h"
#include "sum_choice.h"
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 6, COUNTERS = 2, ALL = 100000, MOST = 3000 };
/* Appearances. With a cap of 1024 they need 3 * 1024 + 500 + 80 + 3 rows, with one of 512 2119, the most below MOST. */
static const uint32_t sizes[CLASSES] = {60000, 30000, 9417, 500, 80, 3};
static const uint32_t CAP = 512;

static uint32_t class_of(uint32_t appearance)
{
	uint32_t class = 0;
	for (uint32_t first = 0; appearance >= first + sizes[class]; class ++)
		first += sizes[class];
	return class;
}

static uint32_t hash_of(uint32_t appearance)
{
	uint64_t seed = appearance;
	number(&seed);
	return (uint32_t)(number(&seed) * UINT32_MAX);
}

static uint64_t count_of(uint32_t appearance)
{
	return 1000 + appearance % 1001;
}

/* Adds all in an order by chance, with counts after each. */
static void make(struct sum_choice *choice, uint32_t *order, uint64_t seed, uint32_t most)
{
	for (uint32_t i = 0; i < ALL; i++)
		order[i] = i;
	for (uint32_t i = ALL - 1; i > 0; i--) {
		uint32_t other = (uint32_t)(number(&seed) * (i + 1)), moved = order[i];
		order[i] = order[other];
		order[other] = moved;
	}
	sum_choice_begin(choice, COUNTERS, CLASSES, most);
	for (uint32_t i = 0; i < ALL; i++) {
		sum_choice_add(choice, class_of(order[i]), hash_of(order[i]));
		ck_assert_uint_le(choice->row_count, most + 1);
		for (unsigned k = 0; k < COUNTERS; k++)
			sum_choice_count(choice, i, class_of(order[i]), k,
				&(struct appearance_sum){(double)count_of(order[i]) * (k + 1), 1, k, 2});
	}
	sum_choice_enlarge(choice);
}

/* By appearance in the order of their numbers, whether it has counts, which are its own. */
static void find_chosen(const struct sum_choice *choice, const uint32_t *order, bool *chosen)
{
	for (uint32_t i = 0; i < ALL; i++) {
		const struct appearance_sum *sums = sum_choice_of(choice, i);
		const struct appearance_sum *factors = &choice->factors[class_of(order[i]) * COUNTERS];
		chosen[order[i]] = sums != 0;
		for (unsigned k = 0; sums && k < COUNTERS; k++) {
			double own = (double)count_of(order[i]) * (k + 1);
			ck_assert_double_eq_tol(sums[k].counted / factors[k].counted, own, 1e-9 * own);
			ck_assert_double_eq_tol(sums[k].rated / factors[k].rated, k, 1e-9);
		}
	}
}

START_TEST(same_in_any_order)
{
	static bool first[ALL], chosen[ALL];
	static uint32_t order[ALL];
	for (uint64_t seed = 1; seed <= 4; seed++) {
		struct sum_choice choice;
		make(&choice, order, seed, MOST);
		find_chosen(&choice, order, seed == 1 ? first : chosen);
		if (seed > 1)
			ck_assert_mem_eq(first, chosen, sizeof first);
		ck_assert_uint_eq(choice.cap, CAP);
		for (unsigned class = 0; class < CLASSES; class ++) {
			const struct class_choice *own = &choice.of[class];
			ck_assert_uint_eq(own->appearances, sizes[class]);
			ck_assert_uint_le(own->chosen, CAP);
			ck_assert(sizes[class] > CAP ? own->chosen > CAP / 3 : own->chosen == sizes[class]);
		}
		sum_choice_free(&choice);
	}
}
END_TEST

/* Those of each class are what all of it have. */
START_TEST(sums_are_all)
{
	static uint32_t order[ALL];
	struct sum_choice choice;
	double all[CLASSES] = {0}, enlarged[CLASSES] = {0}, ones[CLASSES] = {0};
	make(&choice, order, 1, MOST);
	for (uint32_t i = 0; i < ALL; i++) {
		const struct appearance_sum *sums = sum_choice_of(&choice, i);
		uint32_t class = class_of(order[i]);
		all[class] += (double)count_of(order[i]);
		enlarged[class] += sums ? sums[0].counted : 0;
		ones[class] += sums ? sums[1].first : 0;
	}
	for (unsigned class = 0; class < CLASSES; class ++) {
		ck_assert_double_eq_tol(enlarged[class], all[class], 1e-9 * all[class]);
		ck_assert_double_eq_tol(ones[class], sizes[class], 1e-9 * sizes[class]);
	}
	sum_choice_free(&choice);
}
END_TEST

START_TEST(all_if_there_is_room)
{
	static bool chosen[ALL];
	static uint32_t order[ALL];
	struct sum_choice choice;
	make(&choice, order, 1, ALL);
	find_chosen(&choice, order, chosen);
	for (uint32_t i = 0; i < ALL; i++)
		ck_assert(chosen[i]);
	for (unsigned i = 0; i < CLASSES * COUNTERS; i++)
		ck_assert(choice.factors[i].counted == 1 && choice.factors[i].base == 1);
	sum_choice_free(&choice);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sum_choice");
	TCase *tests = tcase_create("sum_choice");
	tcase_add_test(tests, same_in_any_order);
	tcase_add_test(tests, sums_are_all);
	tcase_add_test(tests, all_if_there_is_room);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
