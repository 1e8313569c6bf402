// SPDX-License-Identifier: Apache-2.0
// Descriptors of ours: high numbers, a quarter of the limit at most, kept out of the target's way.
#include "descriptors.h"
#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LIMIT = 1024 };

static int null(void)
{
	return open("/dev/null", O_RDONLY);
}

static void setup(void)
{
	struct rlimit limit;
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = LIMIT;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	descriptors_start();
}

START_TEST(a_quarter_and_high)
{
	int owner;
	int lowest = null(), taken = 0, number;
	close(lowest);
	while ((number = descriptor_take(null(), &owner)) >= 0) {
		ck_assert_int_ge(number, LIMIT - LIMIT / 4);
		ck_assert(descriptor_is_ours(number));
		ck_assert_int_eq(fcntl(number, F_GETFD), FD_CLOEXEC);
		taken++;
	}
	ck_assert_int_eq(taken, LIMIT / 4);
	int next = null();
	ck_assert_int_eq(next, lowest);
	descriptors_after_fork();
	ck_assert(!descriptor_is_ours(LIMIT - 1));
	ck_assert_int_eq(fcntl(LIMIT - 1, F_GETFD), -1);
}
END_TEST

START_TEST(gives_way)
{
	int owner;
	int number = owner = descriptor_take(null(), &owner);
	descriptor_give_way(number);
	ck_assert(!descriptor_is_ours(number));
	ck_assert_int_ne(owner, number);
	ck_assert(descriptor_is_ours(owner));
	descriptor_release(owner);
	ck_assert_int_eq(fcntl(owner, F_GETFD), -1);
	descriptor_give_way(5);
	descriptor_give_way(-1);
}
END_TEST

static char seen[LIMIT];
static int note(unsigned first, unsigned last, void *context)
{
	int *calls = context;
	++*calls;
	ck_assert_uint_le(first, last);
	for (unsigned i = first; i <= last && i < LIMIT; i++)
		seen[i]++;
	return 0;
}
static int refuse(unsigned first, unsigned last, void *context)
{
	(void)first, (void)last;
	++*(int *)context;
	return -1;
}

START_TEST(gaps_are_all_but_ours)
{
	int owner;
	int ours[40], calls = 0;
	for (int i = 0; i < 40; i++)
		ours[i] = descriptor_take(null(), &owner);
	for (int i = 0; i < 40; i += 3)
		descriptor_release(ours[i]);
	ck_assert_int_eq(descriptors_visit_gaps(3, ~0u, note, &calls), 0);
	for (int i = 0; i < LIMIT; i++)
		ck_assert_int_eq(seen[i], i >= 3 && !descriptor_is_ours(i));
	calls = 0;
	ck_assert_int_eq(descriptors_visit_gaps((unsigned)ours[1], (unsigned)ours[1], note, &calls), 0);
	ck_assert_int_eq(calls, 0);
	ck_assert_int_eq(descriptors_visit_gaps(0, 10, note, &calls), 0);
	ck_assert_int_eq(calls, 1);
	calls = 0;
	ck_assert_int_eq(descriptors_visit_gaps(0, ~0u, refuse, &calls), -1);
	ck_assert_int_eq(calls, 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("clock descriptors");
	TCase *cases = tcase_create("descriptors");
	tcase_add_checked_fixture(cases, setup, 0);
	tcase_add_test(cases, a_quarter_and_high);
	tcase_add_test(cases, gives_way);
	tcase_add_test(cases, gaps_are_all_but_ours);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
