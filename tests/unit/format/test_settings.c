/* SPDX-License-Identifier: Apache-2.0 */
/* Settings as text and back. */
#include "scratch.h"
#include "settings.h"

START_TEST(defaults_are_those_of_the_original)
{
	struct settings settings;
	settings_default(&settings);
	ck_assert_uint_eq(settings.clock_interval, 10007000);
	ck_assert_uint_eq(settings.stack_limit, 65536);
	ck_assert_str_eq(settings.founder, "");
}
END_TEST

START_TEST(what_is_written_is_read_back)
{
	struct settings written, read;
	char text[SETTINGS_TEXT_MAX];
	unsigned line;
	settings_default(&written);
	written.clock_interval = UINT64_MAX;
	written.stack_limit = 0;
	strcpy(written.founder, "/a dir/with=equals\\and\ttab \xff.er");
	size_t size = settings_encode(&written, text, sizeof(text));
	ck_assert_uint_gt(size, 0);
	settings_default(&read);
	ck_assert(settings_decode(&read, text, size, &line));
	ck_assert_uint_eq(read.clock_interval, UINT64_MAX);
	ck_assert_uint_eq(read.stack_limit, 0);
	ck_assert_str_eq(read.founder, written.founder);
}
END_TEST

START_TEST(every_setting_at_its_longest_fits)
{
	struct settings settings;
	char text[SETTINGS_TEXT_MAX];
#define NUMBER(name, initial, title) settings.name = UINT64_MAX;
#define TEXT(name, size, title)                                                                                        \
	memset(settings.name, 'x', size - 1);                                                                          \
	settings.name[size - 1] = 0;
#include "settings.def"
#undef NUMBER
#undef TEXT
	ck_assert_uint_gt(settings_encode(&settings, text, sizeof(text)), 0);
}
END_TEST

START_TEST(a_text_that_does_not_fit_is_refused)
{
	struct settings settings;
	char text[40];
	settings_default(&settings);
	ck_assert_uint_eq(settings_encode(&settings, text, sizeof(text)), 0);
	char large[SETTINGS_TEXT_MAX];
	strcpy(settings.founder, "two\nlines");
	ck_assert_uint_eq(settings_encode(&settings, large, sizeof(large)), 0);
}
END_TEST

/* A malformed value is an error in its line; a name of a later version is none. */
START_TEST(lines_are_judged_one_by_one)
{
	static const struct {
		const char *text;
		bool right;
		unsigned line;
	} cases[] = {
		{"", true, 0},
		{"clock_interval=5\n", true, 1},
		{"clock_interval=5", true, 1},
		{"a_later_setting=x\nclock_interval=5\n", true, 2},
		{"clock_interval=5\nfollow=yes\n", false, 2},
		{"clock_interval=\n", false, 1},
		{"clock_interval=18446744073709551616\n", false, 1},
		{"clock_interval=-1\n", false, 1},
		{"clock_interval\n", false, 1},
		{"clock_intervals=x\n", true, 1},
		{"clock=x\n", true, 1},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct settings settings;
		unsigned line = 99;
		settings_default(&settings);
		bool right = settings_decode(&settings, cases[i].text, strlen(cases[i].text), &line);
		ck_assert_msg(right == cases[i].right && line == cases[i].line, "%s: %d in line %u", cases[i].text,
			right, line);
		if (right && strstr(cases[i].text, "clock_interval=5"))
			ck_assert_uint_eq(settings.clock_interval, 5);
	}
}
END_TEST

START_TEST(a_path_that_is_too_long_or_holds_a_zero_is_refused)
{
	static char text[9000] = "founder=";
	struct settings settings;
	unsigned line;
	settings_default(&settings);
	memset(text + 8, 'x', 4095);
	ck_assert(settings_decode(&settings, text, 8 + 4095, &line));
	text[8 + 4095] = 'x';
	ck_assert(!settings_decode(&settings, text, 8 + 4096, &line));
	ck_assert(!settings_decode(&settings, "founder=/a\0b", 12, &line));
}
END_TEST

int main(void)
{
	const TTest *tests[] = {defaults_are_those_of_the_original, what_is_written_is_read_back,
		every_setting_at_its_longest_fits, a_text_that_does_not_fit_is_refused, lines_are_judged_one_by_one,
		a_path_that_is_too_long_or_holds_a_zero_is_refused};
	return RUN_TESTS("settings", tests);
}
