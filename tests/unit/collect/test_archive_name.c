/* SPDX-License-Identifier: Apache-2.0 */
/* Names of archived files: one component, harmless, the same for the same file and different for different ones. */
#include "archive_name.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

START_TEST(objects)
{
	char name[ARCHIVE_NAME_MAX], other[ARCHIVE_NAME_MAX];
	archive_object_name(name, "/usr/lib/libc.so.6", "ab12", "1:2");
	ck_assert_str_eq(name, "libc.so.6_ab12");
	archive_object_name(name, "/usr/bin/x", "", "1:2");
	archive_object_name(other, "/usr/bin/x", 0, "1:2");
	ck_assert_str_eq(name, other);
	archive_object_name(other, "/usr/bin/x", "", "1:3");
	ck_assert_str_ne(name, other);
	archive_object_name(other, "/opt/bin/x", "", "1:2");
	ck_assert_str_ne(name, other);
}
END_TEST

START_TEST(one_component)
{
	char path[5000], name[ARCHIVE_NAME_MAX];
	archive_object_name(name, "/a/..", "../../etc", "");
	ck_assert_str_eq(name, ".._.._.._etc");
	archive_source_name(name, "/a/b c\n.c");
	ck_assert_msg(strncmp(name, "b_c_.c_", 7) == 0 && strlen(name) == 7 + 16, "%s", name);
	memset(path, 'x', sizeof path);
	path[0] = '/';
	path[sizeof path - 1] = '\0';
	archive_object_name(name, path, path, path);
	ck_assert_uint_lt(strlen(name), ARCHIVE_NAME_MAX);
	archive_source_name(name, path);
	ck_assert_uint_lt(strlen(name), ARCHIVE_NAME_MAX);
}
END_TEST

START_TEST(simplified)
{
	static const char *const cases[][2] = {
		{"/a/b/../c", "/a/c"},
		{"/a/./b//c/", "/a/b/c"},
		{"/../a", "/a"},
		{"/a/../..", "/"},
		{"/", "/"},
		{"a/../b", "b"},
		{"../a", "../a"},
		{"a/../../b", "../b"},
		{"./a", "a"},
		{"/a/b/c/../../d/../e", "/a/e"},
		{"", ""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char path[64];
		strcpy(path, cases[i][0]);
		archive_simplify_path(path);
		ck_assert_str_eq(path, cases[i][1]);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("archive_name");
	TCase *tests = tcase_create("all");
	tcase_add_test(tests, objects);
	tcase_add_test(tests, one_component);
	tcase_add_test(tests, simplified);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
