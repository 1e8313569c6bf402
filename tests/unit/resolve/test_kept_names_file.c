/* SPDX-License-Identifier: Apache-2.0 */
/* Files of kept names: what was written is read; damaged ones, and those whose numbers lead out of their tables, are not. */
#include "kept_names_file.h"
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY = 7 };
static char scratch[] = "/tmp/kept-test.XXXXXX";
static int folder;

static void enter_scratch(void)
{
	ck_assert(mkdtemp(scratch) && (folder = open(scratch, O_RDONLY | O_DIRECTORY)) >= 0);
}

static void leave_scratch(void)
{
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", scratch);
	ck_assert(!close(folder) && !system(command));
	strcpy(scratch + sizeof scratch - 7, "XXXXXX");
}

/* A function at 0x100 with another inlined into it, at two addresses. */
static struct example {
	struct kept_place places[2];
	struct kept_frame frames[3];
	struct kept_function functions[2];
	struct kept_code codes[2];
	char texts[12];
} example = {
	.places = {{0x100, 0, 1}, {0x104, 1, 2}},
	.frames = {{0, 6, 10, 0}, {1, 6, 3, 1}, {0, 6, 11, 0}},
	.functions = {{0x100, 0x20, 1, 1, 1, 6, 9, 0}, {0, 0, 3, 3, 3, 6, 2, 0}},
	.codes = {{0x100, 0x120, 0x100, 0x120}, {0x120, 0x128, 0x118, 0x128}},
	.texts = "\0f\0gg\0a.c\0\0",
};

static struct kept_tables tables_of(struct example *from)
{
	return (struct kept_tables){from->places, from->frames, from->functions, from->codes, from->texts, 2, 3, 2, 2,
		sizeof from->texts, 0};
}

static bool comes_back(struct example *from)
{
	struct kept_tables tables = tables_of(from), read;
	kept_tables_write(&tables, folder, "names", KEY);
	bool good = kept_tables_read(&read, folder, "names", KEY);
	if (good) {
		ck_assert_mem_eq(read.places, from->places, sizeof from->places);
		ck_assert_mem_eq(read.frames, from->frames, sizeof from->frames);
		ck_assert_mem_eq(read.functions, from->functions, sizeof from->functions);
		ck_assert_mem_eq(read.codes, from->codes, sizeof from->codes);
		ck_assert_mem_eq(read.texts, from->texts, sizeof from->texts);
	}
	ck_assert(good == (read.place_count != 0));
	kept_tables_free(&read);
	return good;
}

START_TEST(what_was_written_is_read)
{
	struct kept_tables none;
	ck_assert(!kept_tables_read(&none, folder, "names", KEY));
	ck_assert(comes_back(&example));
	ck_assert(!kept_tables_read(&none, folder, "names", KEY + 1));
	ck_assert(!kept_tables_read(&none, folder, "others", KEY));
	ck_assert(!symlinkat("names", folder, "link"));
	ck_assert(!kept_tables_read(&none, folder, "link", KEY));
	ck_assert(!mkfifoat(folder, "pipe", 0600));
	ck_assert(!kept_tables_read(&none, folder, "pipe", KEY));
}
END_TEST

START_TEST(every_damaged_byte_is_found)
{
	struct kept_tables tables = tables_of(&example), read;
	kept_tables_write(&tables, folder, "names", KEY);
	int file = openat(folder, "names", O_RDWR);
	off_t size = lseek(file, 0, SEEK_END);
	ck_assert_int_gt(size, 100);
	for (off_t at = 0; at < size; at++) {
		unsigned char byte, other;
		ck_assert_int_eq(pread(file, &byte, 1, at), 1);
		other = byte ^ 0x40;
		ck_assert_int_eq(pwrite(file, &other, 1, at), 1);
		ck_assert_msg(!kept_tables_read(&read, folder, "names", KEY), "byte %ld", (long)at);
		ck_assert_int_eq(pwrite(file, &byte, 1, at), 1);
	}
	ck_assert(kept_tables_read(&read, folder, "names", KEY));
	kept_tables_free(&read);
	for (off_t left = size - 1; left >= 0; left--) {
		ck_assert(!ftruncate(file, left));
		ck_assert(!kept_tables_read(&read, folder, "names", KEY));
	}
	close(file);
}
END_TEST

START_TEST(numbers_that_lead_out_of_the_tables_are_refused)
{
	static const struct {
		size_t field;
		uint32_t good, bad;
	} cases[] = {
		{offsetof(struct example, places[1].first), 1, 2},
		{offsetof(struct example, places[1].first), 0, UINT32_MAX},
		{offsetof(struct example, places[0].count), 3, 4},
		{offsetof(struct example, places[0].count), 2, 0},
		{offsetof(struct example, places[1].offset), 0x101, 0x100},
		{offsetof(struct example, frames[2].function), 1, 2},
		{offsetof(struct example, frames[0].file), 11, 12},
		{offsetof(struct example, functions[0].mangled), 11, 12},
		{offsetof(struct example, functions[0].long_name), 0, 12},
		{offsetof(struct example, functions[1].short_name), 1, UINT32_MAX},
		{offsetof(struct example, functions[1].file), 11, 12},
		{offsetof(struct example, codes[0].high), 0x120, 0x121},
		{offsetof(struct example, codes[1].low), 0x127, 0x128},
	};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct example changed = example;
		memcpy((char *)&changed + cases[i].field, &cases[i].good, sizeof cases[i].good);
		ck_assert_msg(comes_back(&changed), "case %u, the good number", i);
		memcpy((char *)&changed + cases[i].field, &cases[i].bad, sizeof cases[i].bad);
		ck_assert_msg(!comes_back(&changed), "case %u, the bad number", i);
	}
	struct example open_end = example;
	open_end.texts[sizeof open_end.texts - 1] = 'x';
	ck_assert(!comes_back(&open_end));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("kept names");
	TCase *tests = tcase_create("files");
	tcase_add_checked_fixture(tests, enter_scratch, leave_scratch);
	tcase_add_test(tests, what_was_written_is_read);
	tcase_add_test(tests, every_damaged_byte_is_found);
	tcase_add_test(tests, numbers_that_lead_out_of_the_tables_are_refused);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
