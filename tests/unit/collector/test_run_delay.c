// SPDX-License-Identifier: Apache-2.0
// Parts of the kernel's account of time on the run queue go to the intervals of a thread; what cannot be is doubted.
#include "plausible_delay.h"
#include "run_delay.h"
#include <check.h>

enum { MS = 1000000 };
static const char *const recent = "6.18.44-generic\n", *const old = "6.11.9\n",
			 *const quiet = "0.25 0.30 0.41 1/210 4711\n";
static const char *const ordinary =
	"4711 (a) b) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 20 0 1 0 22 23 24 25 26 27 28 29 30 31 32 33 34 "
	"35 36 37 17 1 0 0 42 43\n";
static const char *const nice =
	"4711 (a) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 30 10 1 0 22 23 24 25 26 27 28 29 30 31 32 33 34 "
	"35 36 37 17 1 0 0 42 43\n";
static const char *const idle =
	"4711 (a) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 20 0 1 0 22 23 24 25 26 27 28 29 30 31 32 33 34 "
	"35 36 37 17 1 0 5 42 43\n";

START_TEST(a_part_for_each_interval)
{
	struct thread_switches switches = {.delay = 1000};
	ck_assert_uint_eq(run_delay_take(&switches, 51000, 20000, false), 20000); /* at most its length */
	ck_assert_uint_eq(run_delay_take(&switches, 51000, 90000, false), 30000); /* at most what is left */
	ck_assert_uint_eq(run_delay_take(&switches, 51000, 90000, false), 0);
	ck_assert_uint_eq(run_delay_take(&switches, 51000, 7000, true), 7000); /* preempted: all of it */
	run_delay_settle(&switches, 51000);
	ck_assert_uint_eq(switches.delay, 51000);
}
END_TEST

START_TEST(a_little_is_left_for_the_next)
{
	struct thread_switches switches = {.delay = 0};
	run_delay_give_back(&switches, run_delay_take(&switches, 9000, 50000, false));
	run_delay_settle(&switches, 9000);
	ck_assert_uint_eq(run_delay_take(&switches, 17000, 50000, false), 17000);
	run_delay_settle(&switches, 900000);
	ck_assert_uint_eq(run_delay_take(&switches, 900000, 5 * MS, false), 600000);
	run_delay_settle(&switches, 0); /* it was not read */
	ck_assert_uint_eq(switches.delay, 900000);
}
END_TEST

START_TEST(what_the_machine_cannot_explain_is_doubted)
{
	ck_assert(delay_is_plausible_by(200 * MS, recent, quiet, ordinary));
	ck_assert(delay_is_plausible_by(210 * MS, recent, quiet, ordinary));
	ck_assert(!delay_is_plausible_by(211 * MS, recent, quiet, ordinary));
	ck_assert(delay_is_plausible_by(
		300 * MS, recent, "0.25 0.30 0.41 10/210 4711\n", ordinary)); /* ten can run now */
	ck_assert(!delay_is_plausible_by(311 * MS, recent, "0.25 0.30 0.41 10/210 4711\n", ordinary));
	ck_assert(delay_is_plausible_by(
		600 * MS, recent, "39.99 0.30 0.41 1/210 4711\n", ordinary)); /* forty could before */
	ck_assert(!delay_is_plausible_by(601 * MS, recent, "39.99 0.30 0.41 1/210 4711\n", ordinary));
	ck_assert(!delay_is_plausible_by(601 * MS, "6.12.0", quiet, ordinary));
	ck_assert(!delay_is_plausible_by(601 * MS, "7.0.1", quiet, ordinary));
}
END_TEST

START_TEST(there_may_be_a_reason_for_it)
{
	ck_assert(delay_is_plausible_by(601 * MS, old, quiet, ordinary));
	ck_assert(delay_is_plausible_by(601 * MS, "5.15.0-generic", quiet, ordinary));
	ck_assert(delay_is_plausible_by(601 * MS, recent, quiet, nice));
	ck_assert(delay_is_plausible_by(601 * MS, recent, quiet, idle));
	ck_assert(delay_is_plausible_by(601 * MS, "", quiet, ordinary));
	ck_assert(delay_is_plausible_by(601 * MS, recent, "", ordinary));
	ck_assert(delay_is_plausible_by(601 * MS, recent, quiet, ""));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("run_delay");
	TCase *cases = tcase_create("run_delay");
	tcase_add_test(cases, a_part_for_each_interval);
	tcase_add_test(cases, a_little_is_left_for_the_next);
	tcase_add_test(cases, what_the_machine_cannot_explain_is_doubted);
	tcase_add_test(cases, there_may_be_a_reason_for_it);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
