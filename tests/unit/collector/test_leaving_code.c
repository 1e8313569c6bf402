// SPDX-License-Identifier: Apache-2.0
// No walk of a past stack begins while code is being unmapped, and that waits for walks that go on.
#include "leaving_code.h"
#include <check.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

START_TEST(one_or_the_other)
{
	leaving_code_start();
	ck_assert(code_stays_begin());
	code_stays_end();
	code_leaves_begin();
	code_leaves_begin(); // by another thread
	ck_assert(!code_stays_begin());
	code_leaves_end();
	ck_assert(!code_stays_begin());
	code_leaves_end();
	ck_assert(code_stays_begin());
	ck_assert(code_stays_begin());
	code_stays_end();
	code_stays_end();
}
END_TEST

static int over; // atomic

static void *walk(void *unused)
{
	usleep(30000);
	__atomic_store_n(&over, 1, __ATOMIC_SEQ_CST);
	code_stays_end();
	return unused;
}

START_TEST(waits)
{
	pthread_t walker;
	leaving_code_start();
	ck_assert(code_stays_begin());
	ck_assert_int_eq(pthread_create(&walker, 0, walk, 0), 0);
	code_leaves_begin();
	ck_assert(__atomic_load_n(&over, __ATOMIC_SEQ_CST));
	code_leaves_end();
	pthread_join(walker, 0);
}
END_TEST

static long milliseconds_to_begin(void)
{
	struct timespec begin, end;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	code_leaves_begin();
	clock_gettime(CLOCK_MONOTONIC, &end);
	code_leaves_end();
	return (end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / 1000000;
}

// A handler that interrupted a walk goes on after a while, and a walk that it left by a jump is waited for once.
START_TEST(not_for_ever)
{
	leaving_code_start();
	ck_assert(code_stays_begin());
	ck_assert_int_ge(milliseconds_to_begin(), 99);
	ck_assert_int_lt(milliseconds_to_begin(), 99);
	code_stays_end();
	ck_assert(code_stays_begin());
	code_stays_end();
}
END_TEST

// A fork child has no other threads: their counts are forgotten, and an end without a begin lowers nothing.
START_TEST(forked)
{
	leaving_code_start();
	code_leaves_begin();
	leaving_code_start();
	ck_assert(code_stays_begin());
	code_stays_end();
	code_leaves_end();
	ck_assert(code_stays_begin());
	code_stays_end();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("leaving_code");
	TCase *cases = tcase_create("leaving_code");
	tcase_add_test(cases, one_or_the_other);
	tcase_add_test(cases, waits);
	tcase_add_test(cases, not_for_ever);
	tcase_add_test(cases, forked);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
