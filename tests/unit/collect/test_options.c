/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: what is accepted, what is refused and how. */
#include "options.h"
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct options options;
static struct error error;

/* Parses a line of words divided by blanks; "~" in a word stands for a blank. */
static bool parse(const char *line)
{
	static char text[1024];
	static char *argv[64];
	size_t count = 0;
	argv[count++] = (char *)"collect";
	strcpy(text, line);
	for (char *word = strtok(text, " "); word; word = strtok(0, " ")) {
		for (char *byte = word; *byte; byte++)
			if (*byte == '~')
				*byte = ' ';
		argv[count++] = word;
	}
	argv[count] = 0;
	error.text[0] = '\0';
	return options_parse(argv, &options, &error);
}

static void refused(const char *line, const char *text)
{
	ck_assert_msg(!parse(line), "accepted: %s", line);
	ck_assert_str_eq(error.text, text);
}

START_TEST(defaults)
{
	ck_assert(parse("prog -p off"));
	ck_assert_uint_eq(options.settings.clock_interval, 10007000);
	ck_assert(options.settings.follow);
	ck_assert_int_eq(options.settings.archive, ARCHIVE_OBJECTS);
	ck_assert_ptr_null(options.output);
	ck_assert(!options.dry_run && !options.verbose && !options.version && !options.help);
	/* Words after the target are the target's. */
	ck_assert_str_eq(options.target[0], "prog");
	ck_assert_str_eq(options.target[1], "-p");
	ck_assert_ptr_null(options.target[3]);
	ck_assert(parse(""));
	ck_assert_ptr_null(options.target);
}
END_TEST

START_TEST(values)
{
	ck_assert(parse("-p hi -F off -A usedsrc -o a.er -d /tmp -g g.erg -O log -C one~two -C three -nv -- -prog x"));
	ck_assert_uint_eq(options.settings.clock_interval, 997000);
	ck_assert(!options.settings.follow);
	ck_assert_int_eq(options.settings.archive, ARCHIVE_USED_SOURCES);
	ck_assert_str_eq(options.output, "a.er");
	ck_assert_str_eq(options.directory, "/tmp");
	ck_assert_str_eq(options.group, "g.erg");
	ck_assert_str_eq(options.file, "log");
	ck_assert_uint_eq(options.comment_count, 2);
	ck_assert_str_eq(options.comments[0], "one two");
	ck_assert(options.dry_run && options.verbose);
	ck_assert_str_eq(options.target[0], "-prog");
}
END_TEST

START_TEST(spellings)
{
	static const struct {
		const char *line;
		bool follow;
		enum archive_mode archive;
	} cases[] = {
		{"-F on x", true, ARCHIVE_OBJECTS},
		{"-F all x", true, ARCHIVE_OBJECTS},
		{"-F off x", false, ARCHIVE_OBJECTS},
		{"-A off x", true, ARCHIVE_OFF},
		{"-A on x", true, ARCHIVE_OBJECTS},
		{"-A copy x", true, ARCHIVE_OBJECTS},
		{"-A src x", true, ARCHIVE_SOURCES},
		{"-A used x", true, ARCHIVE_USED_SOURCES},
		{"-S off -j off -h off -s off -H off -i off -M off x", true, ARCHIVE_OBJECTS},
		{"- x", true, ARCHIVE_OBJECTS},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ck_assert_msg(parse(cases[i].line), "%s: %s", cases[i].line, error.text);
		ck_assert_int_eq(options.settings.follow, cases[i].follow);
		ck_assert_int_eq(options.settings.archive, cases[i].archive);
		ck_assert_ptr_nonnull(options.target);
	}
}
END_TEST

START_TEST(refusals)
{
	refused("-p on -p on x", "Only one -p argument may be used");
	refused("-n -n x", "Only one -n argument may be used");
	refused("-vv x", "Only one -v argument may be used");
	refused("-p", "Option -p needs a value: off|on|lo|hi|N[m|u]");
	refused("-po x", "Option -p takes a value and stands alone: -p off|on|lo|hi|N[m|u], not `-po'");
	refused("-np on x", "Option -p takes a value and stands alone: -p off|on|lo|hi|N[m|u], not `-np'");
	refused("-F maybe x", "Option -F is neither \"on\" nor \"off\" nor =REGEX: `maybe'");
	refused("-A all x", "Option -A is none of \"off\", \"on\", \"src\", \"usedsrc\": `all'");
	refused("-q x", "Unrecognized option `-q'");
	refused("--quiet x", "Unrecognized option `--quiet'");
	refused("-p +5 x", "Option -p +5: dataspace clock profiling is not supported");
	refused("-C 1 -C 2 -C 3 -C 4 -C 5 -C 6 -C 7 -C 8 -C 9 -C 10 -C 11 x",
		"No more than 10 comments may be specified");
}
END_TEST

static void times(const char *value, uint64_t from_ms, uint64_t until_ms)
{
	char line[64];
	snprintf(line, sizeof line, "-t %s x", value);
	ck_assert_msg(parse(line), "%s", error.text);
	ck_assert_uint_eq(options.settings.record_from, from_ms * 1000000);
	ck_assert_uint_eq(options.settings.record_until, until_ms * 1000000);
}

START_TEST(recorded_times)
{
	times("5", 0, 5000);
	times("5s", 0, 5000);
	times("2m", 0, 120000);
	times("0.25", 0, 250);
	times("2-5", 2000, 5000);
	times("2-0", 2000, 0);
	times("-5", 0, 5000);
	times("1m-90s", 60000, 90000);
	times("0-5", 0, 5000);
	static const char *const wrong[] = {
		"x", "", "5x", "1-2-3", "-", "5-", "--5", "1e3", "inf", ".", "5ms", "1..2", "99999999999999"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char *argv[] = {"collect", "-t", (char *)wrong[i], "x", 0};
		ck_assert_msg(!options_parse(argv, &options, &error), "accepted: %s", wrong[i]);
		ck_assert_ptr_nonnull(strstr(error.text, "Invalid time parameter"));
	}
	refused("-t 5-3 x", "Invalid time parameter `5-3': start time must be earlier than end time");
	refused("-t 5-5 x", "Invalid time parameter `5-5': start time must be earlier than end time");
	refused("-t 0 x", "Invalid time parameter `0': nothing would be recorded");
}
END_TEST

START_TEST(signals)
{
	ck_assert(parse("-y USR1 -l SIGUSR2 x"));
	ck_assert_int_eq(options.settings.pause_signal, SIGUSR1);
	ck_assert_int_eq(options.settings.sample_signal, SIGUSR2);
	ck_assert(options.settings.start_paused);
	ck_assert(parse("-y 10,r -l PROF x"));
	ck_assert_int_eq(options.settings.pause_signal, 10);
	ck_assert_int_eq(options.settings.sample_signal, SIGPROF);
	ck_assert(!options.settings.start_paused);
	ck_assert(parse("-y off -l off x"));
	ck_assert(!options.settings.pause_signal && !options.settings.sample_signal && !options.settings.start_paused);
	refused("-y NOSIG x", "Unknown signal `NOSIG'");
	refused("-l 0 x", "Unknown signal `0'");
	refused("-l 65 x", "Unknown signal `65'");
	refused("-l 10x x", "Unknown signal `10x'");
	refused("-l -1 x", "Unknown signal `-1'");
	refused("-y 9 x", "Signal 9 cannot be used: it cannot be caught");
	refused("-y SEGV x", "Signal SEGV cannot be used: it tells of an error of the program");
	refused("-y USR1,x x", "Option -y is neither SIGNAL nor SIGNAL,r: `USR1,x'");
	refused("-l 10 -y USR1 x",
		"Signal User defined signal 1 (10) cannot be used for both samples (-l) and pause and resume (-y)");
}
END_TEST

START_TEST(periods_and_sizes)
{
	ck_assert(parse("x"));
	ck_assert_uint_eq(options.settings.sample_interval, 1000000000);
	ck_assert_uint_eq(options.settings.size_limit, 0);
	ck_assert(parse("-S off -L 20 x"));
	ck_assert_uint_eq(options.settings.sample_interval, 0);
	ck_assert_uint_eq(options.settings.size_limit, 20u << 20);
	ck_assert(parse("-S 60 -L unlimited x"));
	ck_assert_uint_eq(options.settings.sample_interval, 60000000000);
	ck_assert(parse("-S on -L none x"));
	refused("-S 0 x", "Unrecognized sample period `0'");
	refused("-S 1.5 x", "Unrecognized sample period `1.5'");
	refused("-L 0 x", "Unrecognized size limit `0'");
	refused("-L 99999999999999999999 x", "Unrecognized size limit `99999999999999999999'");
	refused("-L -1 x", "Unrecognized size limit `-1'");
}
END_TEST

START_TEST(stack_depths)
{
	ck_assert(parse("x"));
	ck_assert_uint_eq(options.settings.stack_limit, 65536);
	ck_assert(parse("-D 1 x"));
	ck_assert_uint_eq(options.settings.stack_limit, 1);
	ck_assert(parse("-D 65536 x"));
	refused("-D 0 x", "Unrecognized stack depth `0': it is a number of frames, 1 to 65536");
	refused("-D 65537 x", "Unrecognized stack depth `65537': it is a number of frames, 1 to 65536");
	refused("-D deep x", "Unrecognized stack depth `deep': it is a number of frames, 1 to 65536");
}
END_TEST

START_TEST(synchronization)
{
	static const struct {
		const char *line;
		uint64_t mode;
		uint64_t threshold;
	} cases[] = {{"x", SETTING_VALUE(sync, off), 0}, {"-s off x", SETTING_VALUE(sync, off), 0},
		{"-s on x", SETTING_VALUE(sync, calibrate), 0}, {"-s calibrate x", SETTING_VALUE(sync, calibrate), 0},
		{"-s all x", SETTING_VALUE(sync, all), 0}, {"-s 0 x", SETTING_VALUE(sync, all), 0},
		{"-s 25 x", SETTING_VALUE(sync, all), 25000}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ck_assert_msg(parse(cases[i].line), "%s: %s", cases[i].line, error.text);
		ck_assert_int_eq(options.settings.sync, cases[i].mode);
		ck_assert_uint_eq(options.settings.sync_threshold, cases[i].threshold);
	}
	refused("-s -1 x", "Unrecognized synchronization threshold `-1': it is \"off\", \"on\" (\"calibrate\"), "
			   "\"all\" or a number of microseconds");
	ck_assert(!parse("-s 1.5 x") && !parse("-s many x") && !parse("-s 18446744073709551615 x"));
}
END_TEST

START_TEST(heap_modes)
{
	static const char *const lines[] = {"-H off x", "-H on x", "-H light x"};
	ck_assert(parse("x"));
	ck_assert_uint_eq(options.settings.heap, 0);
	for (unsigned mode = 0; mode < 3; mode++) {
		ck_assert(parse(lines[mode]));
		ck_assert_uint_eq(options.settings.heap, mode);
	}
	refused("-H yes x", "Option -H is none of \"off\", \"on\", \"light\": `yes'");
}
END_TEST

/* Every letter of the original that is not ours says so in one line that names it. */
START_TEST(later_options)
{
	for (const char *letter = "crjJNIR"; *letter; letter++) {
		char line[16] = "-_ on x", start[16] = "Option -_: ";
		line[1] = start[8] = *letter;
		ck_assert_msg(!parse(line), "accepted: %s", line);
		ck_assert_msg(strncmp(error.text, start, strlen(start)) == 0, "%s", error.text);
		ck_assert_msg(strstr(error.text, "not supported") || strstr(error.text, "man page"), "%s", error.text);
		ck_assert_ptr_null(strchr(error.text, '\n'));
	}
}
END_TEST

START_TEST(file_of_messages)
{
	static char *const first[] = {"collect", "-O", "log", "-p", "xx", 0};
	static char *const last[] = {"collect", "-p", "xx", "-nv", "-O", "log", "x", 0};
	static char *const of_target[] = {"collect", "x", "-O", "log", 0};
	static char *const after_end[] = {"collect", "--", "-O", "log", 0};
	static char *const value[] = {"collect", "-C", "-O", "x", 0};
	ck_assert_str_eq(options_find_file((char **)first), "log");
	ck_assert_str_eq(options_find_file((char **)last), "log");
	ck_assert_ptr_null(options_find_file((char **)of_target));
	ck_assert_ptr_null(options_find_file((char **)after_end));
	ck_assert_ptr_null(options_find_file((char **)value));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("options");
	TCase *tests = tcase_create("all");
	tcase_add_test(tests, defaults);
	tcase_add_test(tests, values);
	tcase_add_test(tests, spellings);
	tcase_add_test(tests, recorded_times);
	tcase_add_test(tests, signals);
	tcase_add_test(tests, periods_and_sizes);
	tcase_add_test(tests, stack_depths);
	tcase_add_test(tests, refusals);
	tcase_add_test(tests, synchronization);
	tcase_add_test(tests, heap_modes);
	tcase_add_test(tests, later_options);
	tcase_add_test(tests, file_of_messages);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
