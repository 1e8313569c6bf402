// SPDX-License-Identifier: Apache-2.0
// Intervals whose ends are recorded late are corrected by what they and CPU time have been longer than the time that passed.
#include "lateness.h"
#include <check.h>

enum { PERIOD = 100000, RAN = 60000 };
static struct thread_lateness lateness;
static uint64_t now, cpu_time, off;

/* So many periods: the thread runs, and then is off the CPU, whose end is recorded late, and what `missing` is nobody records. */
static void pass(unsigned periods, uint64_t late, uint64_t missing)
{
	off = 0;
	for (unsigned i = 0; i < periods; i++) {
		uint64_t from = now + RAN;
		cpu_time += RAN;
		now += PERIOD;
		off += lateness_end(&lateness, from, now - missing + late) - from;
	}
}

static void begin(void)
{
	now = cpu_time = 1000000;
	lateness_start(&lateness, now, cpu_time);
	lateness.nanoseconds = 0;
}

START_TEST(it_is_learned)
{
	begin();
	pass(15, 7000, 0);
	ck_assert(!lateness_can_learn(&lateness));
	pass(1, 7000, 0);
	ck_assert(lateness_can_learn(&lateness));
	lateness_learn(&lateness, now, cpu_time);
	ck_assert_uint_eq(lateness.nanoseconds, 7000);
	pass(20, 7000, 0);
	ck_assert_uint_eq(off, 20 * (PERIOD - RAN) - 16 * 7000); /* the first 16 were too long */
	pass(20, 7000, 0);
	ck_assert_uint_eq(off, 20 * (PERIOD - RAN));
	pass(40, 3000, 0); /* less late from now on */
	lateness_learn(&lateness, now, cpu_time);
	ck_assert_uint_eq(lateness.nanoseconds, 5000); /* the mean of both */
	ck_assert_uint_eq(off, 40 * (PERIOD - RAN - 4000));
	pass(80, 3000, 0); /* they take back what is owed to them, from 5000 on */
	ck_assert_uint_eq(off, 80 * (PERIOD - RAN - 2000) + 40 * 4000);
	ck_assert(lateness.owed == 0);
}
END_TEST

START_TEST(what_is_missing_is_no_lateness)
{
	begin();
	pass(16, 7000, 0);
	lateness_learn(&lateness, now, cpu_time);
	pass(16, 7000, 20000);
	lateness_learn(&lateness, now, cpu_time);
	ck_assert_uint_eq(lateness.nanoseconds, 7000);
}
END_TEST

START_TEST(too_much_has_another_cause)
{
	begin();
	pass(16, 21000, 0);
	lateness_learn(&lateness, now, cpu_time);
	ck_assert_uint_eq(lateness.nanoseconds, 0);
	pass(20, 0, 0); /* the time was recorded twice nevertheless: each makes up for some */
	ck_assert_uint_eq(off, 20 * (PERIOD - RAN - 8000));
	pass(80, 0, 0);
	ck_assert_uint_eq(off, 80 * (PERIOD - RAN) - 16 * 21000 + 20 * 8000);
}
END_TEST

START_TEST(short_intervals_keep_half)
{
	begin();
	lateness.nanoseconds = 7000;
	ck_assert_uint_eq(lateness_end(&lateness, 1000, 5000), 3000);
	ck_assert_uint_eq(lateness_end(&lateness, 1000, 31000), 24000);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lateness");
	TCase *cases = tcase_create("lateness");
	tcase_add_test(cases, it_is_learned);
	tcase_add_test(cases, what_is_missing_is_no_lateness);
	tcase_add_test(cases, too_much_has_another_cause);
	tcase_add_test(cases, short_intervals_keep_half);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
