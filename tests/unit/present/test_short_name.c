/* SPDX-License-Identifier: Apache-2.0 */
/* Long names, shortened step by step. */
#include "short_name.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static const char *shortened(const char *name, size_t width)
{
	static char text[512];
	snprintf(text, sizeof text, "%s", name);
	shorten_name(text, width);
	ck_assert_uint_le(strlen(text), strlen(name) > width ? width : strlen(name));
	return text;
}

START_TEST(groups)
{
	const char *name = "std::map<std::string, int>::insert(std::pair<std::string const, int> const&)";
	ck_assert_str_eq(shortened(name, 200), name);
	/* 76 bytes; the parameters are the longest group, then the arguments. */
	ck_assert_str_eq(shortened(name, 75), "std::map<std::string, int>::insert(...)");
	ck_assert_str_eq(shortened(name, 38), "std::map<...>::insert(...)");
	ck_assert_str_eq(shortened(name, 20), "std::...:insert(...)");
}
END_TEST

START_TEST(operators)
{
	ck_assert_str_eq(shortened("std::operator<< <char, std::char_traits<char> >(std::ostream&, char const*)", 40),
		"std::operator<< <...>(...)");
	ck_assert_str_eq(shortened("main::{lambda(int, long, std::string)#1}::operator()(int, long) const", 50),
		"main::{lambda(...)#1}::operator()(int, long) const");
	ck_assert_str_eq(shortened("A::operator->(std::vector<int, std::allocator<int> >)", 30), "A::operator->(...)");
	ck_assert_str_eq(
		shortened("A::operator<=>(A<int, long, short> const&) const", 30), "A::operator<=>(...) const");
}
END_TEST

START_TEST(middles)
{
	/* 17 bytes remain: 5 of the beginning, 12 of the end. */
	ck_assert_str_eq(shortened("abcdefghijklmnopqrstuvwxyz", 20), "abcde...opqrstuvwxyz");
	ck_assert_str_eq(shortened("<Function: a_long_name, instructions without line numbers>", 12), "<Fu...mbers>");
	ck_assert_str_eq(shortened("<Total>", 8), "<Total>");
	/* No character of several bytes is cut. */
	ck_assert_str_eq(shortened("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 9),
		"\xc3\xa4...\xc3\xa4\xc3\xa4");
	/* Brackets that do not close are no group. */
	ck_assert_str_eq(shortened("f(((((((((((((((", 10), "f(...(((((");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("short name");
	TCase *tests = tcase_create("all");
	tcase_add_test(tests, groups);
	tcase_add_test(tests, operators);
	tcase_add_test(tests, middles);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
