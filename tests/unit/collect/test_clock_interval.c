/* SPDX-License-Identifier: Apache-2.0 */
/* The value of -p: names, numbers, units, the range and the rounding, as the manual says them. */
#include "clock_interval.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct clock_range fine = {.least = 500000, .greatest = 1000000000, .step = 1000};
static const struct clock_range coarse = {.least = 1000000, .greatest = 1000000000, .step = 1000000};

static struct clock_interval parsed(const char *text, const struct clock_range *range)
{
	struct clock_interval interval;
	struct error error;
	ck_assert_msg(clock_interval_parse(text, range, &interval, &error), "%s: %s", text, error.text);
	return interval;
}

START_TEST(named)
{
	static const struct {
		const char *text;
		uint64_t fine, coarse;
	} cases[] = {
		{"off", 0, 0},
		{"on", 10007000, 10000000},
		{"lo", 100003000, 100000000},
		{"low", 100003000, 100000000},
		{"hi", 997000, 1000000},
		{"high", 997000, 1000000},
		{"h", 997000, 1000000},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ck_assert_uint_eq(parsed(cases[i].text, &fine).nanoseconds, cases[i].fine);
		ck_assert_uint_eq(parsed(cases[i].text, &coarse).nanoseconds, cases[i].coarse);
		ck_assert_str_eq(parsed(cases[i].text, &fine).note, "");
	}
}
END_TEST

START_TEST(numbers)
{
	static const struct {
		const char *text;
		uint64_t nanoseconds;
	} cases[] = {
		{"1", 1000000},
		{"2.5", 2500000},
		{"2.5m", 2500000},
		{".75", 750000},
		{"7.", 7000000},
		{"12345u", 12345000},
		{"500u", 500000},
		{"0.5", 500000},
		{"1000", 1000000000},
		{"1000000u", 1000000000},
		{"0009.001", 9001000},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct clock_interval interval = parsed(cases[i].text, &fine);
		ck_assert_msg(interval.nanoseconds == cases[i].nanoseconds, "%s", cases[i].text);
		ck_assert_str_eq(interval.note, "");
	}
}
END_TEST

START_TEST(out_of_range)
{
	struct clock_interval least = parsed("0.1", &fine), greatest = parsed("1000.5", &fine);
	ck_assert_uint_eq(least.nanoseconds, 500000);
	ck_assert_str_eq(least.note, "Warning: Clock profiling at 0.100 millisec. interval is not supported on this "
				     "system; minimum 0.500 millisec. used");
	ck_assert_uint_eq(greatest.nanoseconds, 1000000000);
	ck_assert_str_eq(greatest.note, "Clock profiling at 1000.500 millisec. interval is not supported on this "
					"system; maximum 1000.000 millisec. used");
	/* No number of digits wraps around. */
	ck_assert_uint_eq(parsed("99999999999999999999999999", &fine).nanoseconds, 1000000000);
	ck_assert_uint_eq(parsed("18446744073709551617u", &fine).nanoseconds, 1000000000);
}
END_TEST

START_TEST(rounded_down)
{
	struct clock_interval interval = parsed("12.5", &coarse);
	ck_assert_uint_eq(interval.nanoseconds, 12000000);
	ck_assert_str_eq(interval.note,
		"Clock profile interval rounded from 12.500 to 12.000 (system resolution = 1.000) millisec.");
	ck_assert_uint_eq(parsed("1.0009", &fine).nanoseconds, 1000000);
	ck_assert_str_ne(parsed("1.0009", &fine).note, "");
}
END_TEST

START_TEST(not_an_interval)
{
	static const char *const cases[] = {"", "xx", "0", "0.000", "-1", "-0.5", "+5", "1s", "1mm", "1 ", " 1", "1e3",
		"0x10", ".", "m", "u", "ON", "nan", "inf", "1,5", "hig"};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct clock_interval interval;
		struct error error = {""};
		char expected[64] = "Unrecognized clock-profiling interval `";
		ck_assert_msg(!clock_interval_parse(cases[i], &fine, &interval, &error), "%s", cases[i]);
		strcat(strcat(expected, cases[i]), "'");
		ck_assert_str_eq(error.text, expected);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("clock_interval");
	TCase *tests = tcase_create("all");
	tcase_add_test(tests, named);
	tcase_add_test(tests, numbers);
	tcase_add_test(tests, out_of_range);
	tcase_add_test(tests, rounded_down);
	tcase_add_test(tests, not_an_interval);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
