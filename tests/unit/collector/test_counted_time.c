// SPDX-License-Identifier: Apache-2.0
// The time that the cycle counter tells between two readings of the clock: between what the clock says before and after, never
// back, also when the thread changes its CPU or the counter jumps.
#include "collector.h"
#include "counted_time.h"
#include <check.h>
#include <stdlib.h>
#include <time.h>

enum { ANSWERS = 200000, ERROR = 1000, SPAN = 300000 };

static struct counted_time counted;
static uint64_t last;
static unsigned by_counter;

static void start(void)
{
	collector.settings.time_source = 0;
	counted = (struct counted_time){.last = 0};
	last = 0;
	by_counter = 0;
}

/* A time that is off by more than a microsecond is wrong, whatever interrupts us. */
static uint64_t ask(uint32_t cpu)
{
	uint64_t before = time_raw(), limit = counted.limit;
	uint64_t answer = counted_time_now(&counted, cpu), after = time_raw();
	by_counter += limit && counted.limit == limit;
	if (answer + ERROR < before || answer > after + ERROR || answer < last)
		ck_abort_msg("answer %lu after %lu, between %lu and %lu", answer, last, before, after);
	return last = answer;
}

START_TEST(it_is_the_clock_s_time)
{
	start();
	for (unsigned i = 0; i < ANSWERS; i++)
		ask(3);
	ck_assert_uint_gt(by_counter, ANSWERS / 2);
}
END_TEST

START_TEST(another_cpu_has_another_counter)
{
	start();
	for (unsigned i = 0; i < ANSWERS; i++)
		ask(i % 2);
	ck_assert_uint_eq(by_counter, 0);
	for (unsigned i = 0; i < ANSWERS; i++)
		ask(i / (ANSWERS / 4));
	ck_assert_uint_gt(by_counter, ANSWERS / 4);
}
END_TEST

/* The machine was moved: the counter is not where it was. */
START_TEST(a_counter_that_jumps_is_not_believed)
{
	start();
	for (unsigned i = 0; i < ANSWERS; i++)
		ask(0);
	for (unsigned way = 0; way < 2; way++) {
		uint64_t jump = way ? 1ull << 40 : -(1ull << 40);
		counted.cycles += jump;
		counted.first_cycles += jump;
		ask(0);
		ck_assert_uint_eq(counted.limit, 0);
		for (unsigned i = 0; i < ANSWERS; i++)
			ask(0);
		ck_assert_uint_ne(counted.rate, 0);
	}
}
END_TEST

/* After a while without a question the rate is measured anew, or goes on to be true. */
START_TEST(long_silence_is_no_error)
{
	start();
	for (uint64_t begin = ask(0); ask(0) < begin + SPAN;)
		;
	struct timespec while_ = {2, 100000000};
	nanosleep(&while_, 0);
	for (unsigned i = 0; i < ANSWERS; i++)
		ask(0);
	ck_assert_uint_gt(by_counter, ANSWERS / 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("counted time");
	TCase *cases = tcase_create("counted time");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, it_is_the_clock_s_time);
	tcase_add_test(cases, another_cpu_has_another_counter);
	tcase_add_test(cases, a_counter_that_jumps_is_not_believed);
	tcase_add_test(cases, long_silence_is_no_error);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
