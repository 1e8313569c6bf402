// SPDX-License-Identifier: Apache-2.0
// The setting "counters": what is written is read, what is missing is 0, what is malformed ends the list.
#include "overflow_counter.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct overflow_counter written[OVERFLOW_COUNTERS_MAX], got[OVERFLOW_COUNTERS_MAX];
static char text[OVERFLOW_COUNTERS_MAX * sizeof(struct overflow_counter)];

START_TEST(round_trip)
{
	for (unsigned i = 0; i < OVERFLOW_COUNTERS_MAX; i++) {
		snprintf(written[i].name, sizeof written[i].name, "counter%u", i);
		if (i % 2)
			snprintf(written[i].title, sizeof written[i].title, "Title, of %u", i);
		written[i].config = UINT64_MAX - i;
		written[i].interval = i;
		written[i].unrelated = i % 3;
	}
	ck_assert_uint_gt(overflow_counters_encode(written, OVERFLOW_COUNTERS_MAX, text, sizeof text), 0);
	ck_assert_uint_eq(overflow_counters_decode(text, got), OVERFLOW_COUNTERS_MAX);
	for (unsigned i = 0; i < OVERFLOW_COUNTERS_MAX; i++) {
		ck_assert_str_eq(got[i].name, written[i].name);
		ck_assert_str_eq(got[i].title, written[i].title);
		ck_assert_str_eq(got[i].event, "");
		ck_assert_uint_eq(got[i].config, written[i].config);
		ck_assert_uint_eq(got[i].interval, written[i].interval);
		ck_assert_uint_eq(got[i].unrelated, written[i].unrelated);
	}
	ck_assert_uint_eq(overflow_counters_encode(written, OVERFLOW_COUNTERS_MAX, text, 64), 0);
	ck_assert_uint_eq(overflow_counters_decode("", got), 0);
}
END_TEST

START_TEST(what_separates_is_not_text)
{
	struct overflow_counter counter = {.name = "a;b|c\nd", .interval = 3};
	overflow_counters_encode(&counter, 1, text, sizeof text);
	ck_assert_uint_eq(overflow_counters_decode(text, got), 1);
	ck_assert_str_eq(got[0].name, "abcd");
	ck_assert_uint_eq(got[0].interval, 3);
}
END_TEST

START_TEST(other_versions_and_damage)
{
	ck_assert_uint_eq(overflow_counters_decode("cycles|CPU Cycles;insts", got), 2);
	ck_assert_str_eq(got[1].name, "insts");
	ck_assert_uint_eq(got[0].interval, 0);
	struct overflow_counter counter = {.name = "x"};
	overflow_counters_encode(&counter, 1, text, sizeof text);
	strcat(text, "|17|later;y");
	ck_assert_uint_eq(overflow_counters_decode(text, got), 2);
	ck_assert_str_eq(got[1].name, "y");
	ck_assert_uint_eq(overflow_counters_decode("x|t|e|twelve;y", got), 0);
	ck_assert_uint_eq(overflow_counters_decode("x|t|e|99999999999999999999;y", got), 0);
	ck_assert_uint_eq(overflow_counters_decode(";y", got), 0);
	memset(text, 'n', 200);
	text[200] = 0;
	ck_assert_uint_eq(overflow_counters_decode(text, got), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("overflow counter");
	TCase *tests = tcase_create("all");
	tcase_add_test(tests, round_trip);
	tcase_add_test(tests, what_separates_is_not_text);
	tcase_add_test(tests, other_versions_and_damage);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
