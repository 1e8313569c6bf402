/* SPDX-License-Identifier: Apache-2.0 */
/* Names of experiments and groups: -o, -d, -g. Runs in an empty directory that it makes. */
#include "experiment_name.h"
#include "group.h"
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/er-tools-name.XXXXXX";
static struct error error;

static void enter(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
}

static void leave(void)
{
	char command[128];
	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
}

/* The path that would be created, or the error. */
static const char *chosen(const char *output, const char *directory, const char *group)
{
	static char path[PATH_MAX];
	struct experiment_name name;
	bool changed;
	if (!experiment_name_parse(&name, output, directory, group, &error) ||
		!experiment_name_next_free(&name, &changed, &error))
		return error.text;
	experiment_name_path(&name, path, sizeof path);
	return path;
}

START_TEST(numbers)
{
	static const struct {
		const char *base;
		uint64_t number;
		size_t stem;
	} cases[] = {
		{"test.1.er", 1, 4},
		{"a.b.12.er", 12, 3},
		{"test.007.er", 7, 4},
		{"test.er", 0, 0},
		{"foo12.er", 0, 0},
		{"12.er", 0, 0},
		{".12.er", 0, 0},
		{"test.1", 0, 0},
		{"test.1.er.er", 0, 0},
		{"test.1x.er", 0, 0},
		{"t.9999999999999999999999.er", 0, 0},
		{".er", 0, 0},
		{"", 0, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t stem = 0;
		uint64_t number = experiment_number(cases[i].base, &stem);
		ck_assert_msg(number == cases[i].number && (!number || stem == cases[i].stem), "%s", cases[i].base);
	}
}
END_TEST

START_TEST(next_after_the_highest)
{
	ck_assert_str_eq(chosen(0, 0, 0), "test.1.er");
	mkdir("test.1.er", 0755);
	mkdir("test.7.er", 0755);
	mkdir("other.9.er", 0755);
	mkdir("atest.99.er", 0755);
	ck_assert_str_eq(chosen(0, 0, 0), "test.8.er");
	/* A file is in use too. */
	close(creat("test.12.er", 0644));
	ck_assert_str_eq(chosen(0, 0, 0), "test.13.er");
	ck_assert_str_eq(chosen("test.3.er", 0, 0), "test.3.er");
	ck_assert_str_eq(chosen("test.7.er", 0, 0), "test.13.er");
}
END_TEST

START_TEST(fixed_names)
{
	ck_assert_str_eq(chosen("stem.er", 0, 0), "stem.er");
	ck_assert_str_eq(chosen("foo12.er", 0, 0), "foo12.er");
	mkdir("foo12.er", 0755);
	mkdir("12.er", 0755);
	ck_assert_str_eq(chosen("foo12.er", 0, 0), "name foo12.er is in use and cannot be updated");
	ck_assert_str_eq(chosen("12.er", 0, 0), "name 12.er is in use and cannot be updated");
	ck_assert_str_eq(chosen("foo", 0, 0), "Experiment name `foo' must end in `.er'");
	ck_assert_str_eq(chosen("foo.erg", 0, 0), "Experiment name `foo.erg' must end in `.er'");
	ck_assert_str_eq(chosen("foo.er/", 0, 0), "Experiment name `foo.er/' must end in `.er'");
	ck_assert_str_eq(chosen(".er", 0, 0), "Experiment name `.er' has nothing before `.er'");
	/* A dangling link is in use as well: mkdir would fail. */
	ck_assert_int_eq(symlink("nowhere", "link.er"), 0);
	ck_assert_str_eq(chosen("link.er", 0, 0), "name link.er is in use and cannot be updated");
}
END_TEST

START_TEST(directories)
{
	char absolute[PATH_MAX];
	mkdir("sub", 0755);
	mkdir("sub/test.4.er", 0755);
	ck_assert_str_eq(chosen(0, "sub", 0), "sub/test.5.er");
	ck_assert_str_eq(chosen(0, "sub/", 0), "sub/test.5.er");
	ck_assert_str_eq(chosen("x.er", "sub", 0), "sub/x.er");
	ck_assert_str_eq(chosen("sub/x.er", 0, 0), "sub/x.er");
	ck_assert_str_eq(chosen("./x.er", 0, 0), "./x.er");
	snprintf(absolute, sizeof absolute, "%s/x.er", folder);
	ck_assert_str_eq(chosen(absolute, "sub", 0), absolute);
	ck_assert_str_eq(chosen(0, "nosuch", 0), "Can't set directory `nosuch': No such file or directory");
	close(creat("file", 0644));
	ck_assert_str_eq(chosen(0, "file", 0), "Can't set directory `file': Not a directory");
	ck_assert_str_eq(chosen("no/x.er", 0, 0), "Store directory no is not accessible: No such file or directory");
	ck_assert_str_eq(chosen("/x.er", 0, 0), "/x.er");
}
END_TEST

START_TEST(the_group_gives_the_stem)
{
	char path[PATH_MAX];
	ck_assert_str_eq(chosen(0, 0, "runs.erg"), "runs.1.er");
	mkdir("sub", 0755);
	ck_assert_str_eq(chosen(0, 0, "sub/runs.erg"), "runs.1.er");
	ck_assert_str_eq(chosen("x.er", 0, "runs.erg"), "x.er");
	ck_assert(group_path("runs.erg", "sub", path, sizeof path, &error));
	ck_assert_str_eq(path, "sub/runs.erg");
	ck_assert(group_path("/a/runs.erg", "sub", path, sizeof path, &error));
	ck_assert_str_eq(path, "/a/runs.erg");
	ck_assert(!group_path("runs", 0, path, sizeof path, &error));
	ck_assert_str_eq(error.text, "Experiment group name `runs' must end in `.erg'");
	ck_assert(!group_path(".erg", 0, path, sizeof path, &error));
}
END_TEST

static void expect_file(const char *path, const char *expected)
{
	char text[1024] = "";
	int fd = open(path, O_RDONLY);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_ge(read(fd, text, sizeof text - 1), 0);
	close(fd);
	ck_assert_str_eq(text, expected);
}

START_TEST(groups_grow)
{
	ck_assert(group_check("g.erg", &error));
	ck_assert(group_join("g.erg", "test.1.er", &error));
	ck_assert(group_check("g.erg", &error));
	ck_assert(group_join("g.erg", "sub/test.2.er", &error));
	expect_file("g.erg", "#analyzer experiment group\ntest.1.er\nsub/test.2.er\n");
	/* Written by hand, without the last newline. */
	ck_assert_int_eq(system("printf '#analyzer experiment group\\na.er' >hand.erg"), 0);
	ck_assert(group_join("hand.erg", "b.er", &error));
	expect_file("hand.erg", "#analyzer experiment group\na.er\nb.er\n");
}
END_TEST

START_TEST(what_is_no_group_stays)
{
	ck_assert_int_eq(system("echo precious >text.erg; mkdir dir.erg"), 0);
	ck_assert(!group_check("text.erg", &error));
	ck_assert(!group_join("text.erg", "a.er", &error));
	expect_file("text.erg", "precious\n");
	ck_assert(!group_check("dir.erg", &error));
	ck_assert(!group_check("nosuch/g.erg", &error));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("experiment_name");
	TCase *tests = tcase_create("all");
	tcase_add_checked_fixture(tests, enter, leave);
	tcase_add_test(tests, numbers);
	tcase_add_test(tests, next_after_the_highest);
	tcase_add_test(tests, fixed_names);
	tcase_add_test(tests, directories);
	tcase_add_test(tests, the_group_gives_the_stem);
	tcase_add_test(tests, groups_grow);
	tcase_add_test(tests, what_is_no_group_stays);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
