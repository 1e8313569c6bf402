// SPDX-License-Identifier: Apache-2.0
// Iterations of a series: periods, repetitions and odd windows that were put there are found, also in noise and beside a window
// that is many times as high; chance and random walks have none. The matrix profile is that of comparing all pairs.
#include "chance.h"
#include "iterations.h"
#include "matrix_profile.h"
#include "series_period.h"
#include "storage.h"
#include <check.h>
#include <math.h>
#include <stdlib.h>

enum { PERIOD = 40, TRIALS = 100 };

static struct series series_new(uint32_t count)
{
	return (struct series){memory_new(count, sizeof(double)), 1, count, 1000, 10};
}

/* In each period a pulse of 16 cells, with noise; that of number `odd` is `height` times as high. An idle time is before and after
   it. */
static struct series pulses(uint32_t periods, double noise, uint32_t odd, double height, uint64_t seed)
{
	struct series series = series_new((periods + 2) * PERIOD);
	for (uint32_t i = 0; i < series.count; i++) {
		bool on = i >= PERIOD && i < (periods + 1) * PERIOD && i % PERIOD < 16;
		series.values[i] = on * (i / PERIOD == odd ? height : 1) + noise * normal(&seed);
	}
	return series;
}

START_TEST(the_profile_is_that_of_all_pairs)
{
	enum { COUNT = 50, CELLS = 6, APART = 4, REACH = 21 };
	uint64_t seed = 5;
	struct series series = {memory_new(2 * COUNT, sizeof(double)), 2, COUNT, 0, 1};
	for (uint32_t i = 0; i < 2 * COUNT; i++)
		series.values[i] = floor(10 * number(&seed));
	double *profile = matrix_profile(&series, CELLS, APART, REACH);
	for (uint32_t i = 0; i + CELLS <= COUNT; i++) {
		double least = INFINITY;
		double *from = distance_profile(&series, CELLS, i);
		for (uint32_t j = 0; j + CELLS <= COUNT; j++) {
			double sum = 0;
			for (uint32_t k = 0; k < CELLS; k++)
				for (uint32_t d = 0; d < 2 * COUNT; d += COUNT)
					sum += pow(series.values[d + i + k] - series.values[d + j + k], 2);
			ck_assert_double_eq(from[j], sum);
			uint32_t lag = i > j ? i - j : j - i;
			if (lag >= APART && lag <= REACH && sum < least)
				least = sum;
		}
		ck_assert_double_eq(profile[i], least);
		free(from);
	}
	free(profile);
	free(series.values);
}
END_TEST

START_TEST(one_odd_pulse_is_found)
{
	static const double heights[] = {2, 10}, noises[] = {0, .1, .3};
	for (unsigned h = 0; h < 2; h++)
		for (unsigned n = 0; n < 3; n++) {
			struct series series = pulses(40, noises[n], 17, heights[h], 11 * h + n);
			struct iterations found;
			ck_assert_int_eq(iterations_find(&found, &series, 0), ITERATIONS_FOUND);
			ck_assert_uint_eq(found.halvings, 1);
			ck_assert_uint_eq(found.window, PERIOD / 2);
			ck_assert_msg(found.count >= 38 && found.count <= 41, "%u", found.count);
			ck_assert_double_eq_tol(iterations_period(&found), PERIOD * series.cell, 5);
			ck_assert_uint_eq(found.odd_count, 1);
			/* The window has all cells of the pulse. */
			uint32_t start = found.odd[0].start * 2;
			ck_assert_msg(start <= 17 * PERIOD + 2 && start + PERIOD >= 17 * PERIOD + 14, "%u", start);
			ck_assert_msg(found.alike > (n == 2 && h == 0 ? .7 : .9), "%f", found.alike);
			iterations_free(&found);
			free(series.values);
		}
}
END_TEST

START_TEST(equal_pulses_have_no_odd_one)
{
	unsigned odd = 0;
	for (uint64_t seed = 1; seed <= TRIALS; seed++) {
		struct series series = pulses(20, .1 * (double)(seed % 4), 0, 1, seed);
		struct iterations found;
		ck_assert_int_eq(iterations_find(&found, &series, 0), ITERATIONS_FOUND);
		ck_assert_uint_eq(found.window, PERIOD / 2);
		odd += found.odd_count > 0;
		iterations_free(&found);
		free(series.values);
	}
	ck_assert_msg(odd <= 3, "%u", odd);
}
END_TEST

START_TEST(what_comes_in_bursts_has_their_period)
{
	struct series series = series_new(30 * 160);
	struct iterations found;
	for (uint32_t i = 0; i < series.count; i++)
		series.values[i] = i % 160 < 64 && i % 16 == 0;
	ck_assert_int_eq(iterations_find(&found, &series, 0), ITERATIONS_FOUND);
	ck_assert_double_eq_tol(iterations_period(&found), 160 * series.cell, 10);
	iterations_free(&found);
	free(series.values);
}
END_TEST

/* How many of the trials have a period: without memory, with some, and a random walk. */
static unsigned by_chance(double memory, uint32_t count, bool walk)
{
	unsigned found = 0;
	for (uint64_t trial = 1; trial <= TRIALS; trial++) {
		uint64_t seed = trial * 7919 + count;
		struct series series = series_new(count);
		struct series_period period;
		double at = 0;
		for (uint32_t i = 0; i < count; i++)
			series.values[i] = at = (walk ? 1 : memory) * at + normal(&seed);
		found += series_period_find(&period, &series);
		free(series.values);
	}
	return found;
}

START_TEST(chance_has_no_period)
{
	static const uint32_t counts[] = {64, 200, 1000};
	for (unsigned c = 0; c < 3; c++) {
		unsigned white = by_chance(0, counts[c], false), slow = by_chance(.9, counts[c], false),
			 walks = by_chance(1, counts[c], true);
		ck_assert_msg(white <= 3 && slow <= 3 && walks <= 3, "%u cells: %u, %u, %u of 100", counts[c], white,
			slow, walks);
	}
}
END_TEST

START_TEST(what_cannot_be_found_is_said)
{
	struct series series = series_new(400);
	struct iterations found;
	ck_assert_int_eq(iterations_find(&found, &series, 0), ITERATIONS_CONSTANT);
	for (uint32_t i = 0; i < series.count; i++)
		series.values[i] = i % 40 < 10;
	ck_assert_int_eq(iterations_find(&found, &series, 30), ITERATIONS_TOO_SHORT);
	ck_assert_int_eq(iterations_find(&found, &series, 2010), ITERATIONS_TOO_SHORT);
	/* Twice the period is one as well, if it is asked for. */
	ck_assert_int_eq(iterations_find(&found, &series, 800), ITERATIONS_FOUND);
	ck_assert_double_eq(iterations_period(&found), 800);
	ck_assert_uint_eq(found.odd_count, 0);
	iterations_free(&found);
	free(series.values);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("iterations");
	TCase *test = tcase_create("all");
	tcase_add_test(test, the_profile_is_that_of_all_pairs);
	tcase_add_test(test, one_odd_pulse_is_found);
	tcase_add_test(test, equal_pulses_have_no_odd_one);
	tcase_add_test(test, what_comes_in_bursts_has_their_period);
	tcase_add_test(test, chance_has_no_period);
	tcase_add_test(test, what_cannot_be_found_is_said);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
