// SPDX-License-Identifier: Apache-2.0
// The two tests of verdicts on code spaces against their definitions: the sum of ranks by all choices of a group, exact and by the
// normal distribution; the number of events by the binomial terms; and how often either finds something where there is chance only.
#include "chance.h"
#include "rank_test.h"
#include "sum_test.h"
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { VALUES = 12, GROUP = 5, TRIALS = 2000 };

/* By all choices of GROUP out of VALUES. */
static double by_all_choices(const struct rank_scale *scale, uint64_t sum)
{
	unsigned all = 0, extreme = 0;
	int64_t expected = GROUP * (VALUES + 1), distance = llabs((int64_t)sum - expected);
	for (unsigned choice = 0; choice < 1u << VALUES; choice++) {
		int64_t ranks = 0;
		if (__builtin_popcount(choice) != GROUP)
			continue;
		for (unsigned i = 0; i < VALUES; i++)
			ranks += choice & 1u << i ? (int64_t)scale->rank[i] : 0;
		all++;
		extreme += llabs(ranks - expected) >= distance;
	}
	return (double)extreme / all;
}

START_TEST(ranks)
{
	uint64_t seed = 1;
	for (unsigned trial = 0; trial < 50; trial++) {
		double values[VALUES];
		struct rank_scale scale;
		uint64_t sum = 0;
		for (unsigned i = 0; i < VALUES; i++)
			values[i] = floor(number(&seed) * (trial % 2 ? 4 : 1000));
		rank_scale_make(&scale, values, VALUES);
		for (unsigned i = 0; i < GROUP; i++)
			sum += scale.rank[i];
		ck_assert_double_eq_tol(rank_scale_chance(&scale, sum, GROUP), by_all_choices(&scale, sum), 1e-12);
		rank_scale_free(&scale);
	}
}
END_TEST

/* Two-sided, by the terms that Pascal's rule makes. */
static double by_terms(unsigned events, unsigned all, double share)
{
	double *terms = calloc(all + 1, sizeof *terms), lower = 0, upper = 0;
	terms[0] = 1;
	for (unsigned n = 0; n < all; n++)
		for (unsigned k = n + 1; k <= n + 1; k--)
			terms[k] = (k <= n ? terms[k] * (1 - share) : 0) + (k ? terms[k - 1] * share : 0);
	for (unsigned k = 0; k <= all; k++) {
		lower += k <= events ? terms[k] : 0;
		upper += k >= events ? terms[k] : 0;
	}
	free(terms);
	return fmin(1, 2 * (events >= all * share ? upper : lower));
}

START_TEST(sums)
{
	static const double shares[] = {.001, .03, .5, .8, .999};
	for (unsigned s = 0; s < sizeof shares / sizeof *shares; s++)
		for (unsigned all = 1; all <= 200; all += 1 + all / 3)
			for (unsigned events = 0; events <= all; events++) {
				double expected = by_terms(events, all, shares[s]);
				ck_assert_double_eq_tol(
					sum_test_chance(events, all, shares[s]), expected, 1e-9 * expected + 1e-300);
			}
	ck_assert(sum_test_chance(0, 0, .5) >= 1);
	/* 2 of 32 events where 0.15 are expected: 1 - (1 + 0.15) e^-0.15 of Poisson's, twice. */
	ck_assert_double_eq_tol(sum_test_chance(2, 32, .15 / 32), 2 * .01019, 1e-3);
}
END_TEST

/* Where the exact sum ends the normal distribution goes on. */
START_TEST(sums_of_many)
{
	for (unsigned all = 39000; all <= 41000; all += 250) {
		double deviation = sqrt(all) / 2;
		for (double far = 0; far < 5; far += .5) {
			uint64_t events = (uint64_t)(all / 2 + far * deviation);
			double normal = erfc(fmax(((double)events - all / 2.) - .5, 0) / deviation / sqrt(2));
			ck_assert_double_eq_tol(sum_test_chance(events, all, .5), normal, .005 * normal);
		}
	}
	ck_assert(sum_test_chance(UINT64_C(500001000000), UINT64_C(1000000000000), .5) < .05);
	ck_assert(sum_test_chance(UINT64_C(500000900000), UINT64_C(1000000000000), .5) > .05);
}
END_TEST

/* Rare events at random: a test at 1 % by ranks of 20 of 2000 appearances finds something too often, by sums it does not. */
START_TEST(rare_events)
{
	uint64_t seed = 7;
	unsigned by_ranks = 0, by_sums = 0;
	for (unsigned trial = 0; trial < TRIALS; trial++) {
		enum { APPEARANCES = 2000, MEMBERS = 20, EVENTS = 30 };
		double values[APPEARANCES] = {0};
		struct rank_scale scale;
		uint64_t sum = 0, events = 0;
		for (unsigned i = 0; i < EVENTS; i++)
			values[(unsigned)(number(&seed) * APPEARANCES)]++;
		rank_scale_make(&scale, values, APPEARANCES);
		for (unsigned i = 0; i < MEMBERS; i++) {
			sum += scale.rank[i];
			events += (uint64_t)values[i];
		}
		by_ranks += rank_scale_chance(&scale, sum, MEMBERS) < .01;
		by_sums += sum_test_chance(events, EVENTS, (double)MEMBERS / APPEARANCES) < .01;
		rank_scale_free(&scale);
	}
	printf("of %d trials %u by ranks, %u by sums\n", TRIALS, by_ranks, by_sums);
	ck_assert_uint_gt(by_ranks, TRIALS / 50);
	ck_assert_uint_lt(by_sums, TRIALS / 100);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("verdict_chance");
	TCase *tests = tcase_create("verdict_chance");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, ranks);
	tcase_add_test(tests, sums);
	tcase_add_test(tests, sums_of_many);
	tcase_add_test(tests, rare_events);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
