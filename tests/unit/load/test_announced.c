/* SPDX-License-Identifier: Apache-2.0 */
/* Loading code that a program announced, and samples: what an address was at which time, what was saved of it, what a fork child
   has of its parent, stretches between samples; and lines that lie about all that. */
#include "data.h"
#include "synthetic.h"
#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch[] = "/tmp/announced-test.XXXXXX";

static void enter_scratch(void)
{
	ck_assert(mkdtemp(scratch) && !chdir(scratch));
}

static void leave_scratch(void)
{
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", scratch);
	ck_assert(!chdir("/") && !system(command));
	strcpy(scratch + sizeof scratch - 7, "XXXXXX");
}

static void __attribute__((format(printf, 2, 3))) append(const char *path, const char *format, ...)
{
	va_list list;
	FILE *file = fopen(path, "a");
	ck_assert(file);
	va_start(list, format);
	vfprintf(file, format, list);
	va_end(list);
	ck_assert(!fclose(file));
}

static struct data *load(const char *path)
{
	struct data *data = data_create();
	struct error error;
	ck_assert_msg(data_load(data, path, &error), "%s", error.text);
	return data;
}

/* The function at the leaf of the stack that the experiment has as `id`, or 0. */
static const struct dynamic_function *function_of(const struct data *data, uint32_t experiment, uint32_t id)
{
	ck_assert_uint_lt(id, data->experiments[experiment].stack_of_count);
	uint32_t stack = data->experiments[experiment].stack_of[id];
	const struct code_address *address = &data->addresses[data->stacks[stack].address];
	return data_dynamic_function(data, address->object, address->offset);
}

static const char *name_of(const struct data *data, uint32_t experiment, uint32_t id)
{
	const struct dynamic_function *function = function_of(data, experiment, id);
	return function ? function->name : "";
}

#define LOAD(vaddr, size, generation, name, more)                                                                      \
	"<event kind=\"func_load\" tstamp=\"0.1\" vaddr=\"" vaddr "\" size=\"" size "\" generation=\"" generation      \
	"\" name=\"" name "\" " more "/>\n"
#define GONE(vaddr, generation)                                                                                        \
	"<event kind=\"func_unload\" tstamp=\"0.1\" vaddr=\"" vaddr "\" generation=\"" generation "\"/>\n"

START_TEST(an_address_has_the_name_that_it_had_then)
{
	struct synthetic *s = synthetic_begin("t.er");
	uint32_t first = synthetic_stack(s, (uint64_t[]){0x7010}, 1, 0);
	synthetic_map_object(s, 0x400000, 0x1000, 0, 0, "/bin/other");
	synthetic_unmap(s, 0x400000); /* generation 1 */
	uint32_t second = synthetic_stack(s, (uint64_t[]){0x7010}, 1, 0);
	synthetic_map_object(s, 0x400000, 0x1000, 0, 0, "/bin/other");
	synthetic_unmap(s, 0x400000);
	uint32_t third = synthetic_stack(s, (uint64_t[]){0x7010}, 1, 0);
	uint32_t behind = synthetic_stack(s, (uint64_t[]){0x70ff}, 1, 0);
	/* Where a call returns to may be the first byte behind the function. */
	uint32_t caller = synthetic_stack(s, (uint64_t[]){0x7100}, 1, SYNTHETIC_RETURN_ADDRESS);
	synthetic_end(s);
	append("t.er/map.xml", "%s",
		LOAD("0x7000", "0x100", "0", "one", "") GONE("0x7000", "1") LOAD("0x7008", "0x10", "1", "two", "")
			GONE("0x7008", "2") LOAD("0x7000", "0x100", "2", "three", ""));
	struct data *data = load("t.er");
	ck_assert_str_eq(name_of(data, 0, first), "one");
	ck_assert_str_eq(name_of(data, 0, second), "two");
	ck_assert_str_eq(name_of(data, 0, third), "three");
	ck_assert_str_eq(name_of(data, 0, behind), "three");
	ck_assert_str_eq(
		data->objects[data->addresses[data->stacks[data->experiments[0].stack_of[caller]].address].object].path,
		"<DYNAMIC_FUNCTIONS>");
	data_destroy(data);
}
END_TEST

START_TEST(lines_and_code_are_those_that_were_saved)
{
	struct synthetic *s = synthetic_begin("t.er");
	uint32_t good = synthetic_stack(s, (uint64_t[]){0x7010}, 1, 0);
	uint32_t bad = synthetic_stack(s, (uint64_t[]){0x8000}, 1, 0);
	uint32_t worse = synthetic_stack(s, (uint64_t[]){0x9000}, 1, 0);
	synthetic_end(s);
	append("t.er/map.xml", "%s",
		LOAD("0x7000", "0x20", "0", "good", "code=\"0\" lines=\"32\" linesize=\"16\" source=\"/s.c\"")
			LOAD("0x8000", "0x20", "0", "bad", "code=\"17\" lines=\"40\" linesize=\"16\"")
				LOAD("0x9000", "0x20", "0", "worse",
					"code=\"18446744073709551615\" lines=\"18446744073709551600\" "
					"linesize=\"0xfffffffffffffff8\""));
	FILE *file = fopen("t.er/dyntext", "w");
	unsigned char bytes[48] = {0x90, [32] = 4, [36] = 5, [40] = 16, [44] = 7};
	ck_assert(file && fwrite(bytes, 1, sizeof bytes, file) == sizeof bytes && !fclose(file));
	struct data *data = load("t.er");
	const struct dynamic_function *function = function_of(data, 0, good);
	ck_assert_uint_eq(function->code[0], 0x90);
	ck_assert_uint_eq(dynamic_function_line(function, 0x7003), 0);
	ck_assert_uint_eq(dynamic_function_line(function, 0x7004), 5);
	ck_assert_uint_eq(dynamic_function_line(function, 0x700f), 5);
	ck_assert_uint_eq(dynamic_function_line(function, 0x7010), 7);
	function = function_of(data, 0, bad);
	ck_assert(function && !function->code && !function->lines && !dynamic_function_line(function, 0x8004));
	function = function_of(data, 0, worse);
	ck_assert(function && !function->code && !function->lines);
	data_destroy(data);
}
END_TEST

START_TEST(a_fork_child_has_what_its_parent_had)
{
	struct synthetic *s = synthetic_begin("t.er");
	synthetic_end(s);
	append("t.er/map.xml", "%s",
		LOAD("0x7000", "0x20", "0", "before", "") LOAD("0x8000", "0x20", "0", "behind", ""));
	s = synthetic_begin("t.er/_f1.er");
	uint32_t before = synthetic_stack(s, (uint64_t[]){0x7010}, 1, 0);
	uint32_t behind = synthetic_stack(s, (uint64_t[]){0x8010}, 1, 0);
	synthetic_end(s);
	append("t.er/_f1.er/map.xml", "<event kind=\"func_inherit\" lineage=\"\" count=\"1\"/>\n");
	s = synthetic_begin("t.er/_f1_f1.er");
	uint32_t again = synthetic_stack(s, (uint64_t[]){0x7010}, 1, 0);
	synthetic_end(s);
	append("t.er/_f1_f1.er/map.xml", "<event kind=\"func_inherit\" lineage=\"_f1\" count=\"1\"/>\n");
	/* Itself, something outside, and nothing. */
	static const char *const lies[] = {"_f2", "/../../t", "_f99", "_f1/../_f1"};
	for (unsigned i = 0; i < 4; i++) {
		char path[64];
		snprintf(path, sizeof path, "t.er/_f%u.er", i + 2);
		s = synthetic_begin(path);
		synthetic_stack(s, (uint64_t[]){0x7010}, 1, 0);
		synthetic_end(s);
		snprintf(path, sizeof path, "t.er/_f%u.er/map.xml", i + 2);
		append(path, "<event kind=\"func_inherit\" lineage=\"%s\" count=\"9\"/>\n", lies[i]);
	}
	struct data *data = load("t.er");
	ck_assert_uint_eq(data->experiment_count, 7);
	for (uint32_t e = 1; e < data->experiment_count; e++) {
		const char *name = data->experiments[e].file->name;
		if (!strcmp(name, "_f1.er")) {
			ck_assert_str_eq(name_of(data, e, before), "before");
			ck_assert_str_eq(name_of(data, e, behind), "");
		} else {
			ck_assert_str_eq(name_of(data, e, again), strcmp(name, "_f1_f1.er") ? "" : "before");
		}
	}
	data_destroy(data);
}
END_TEST

START_TEST(more_at_one_place_than_are_kept_is_survived)
{
	struct synthetic *s = synthetic_begin("t.er");
	uint32_t stack = synthetic_stack(s, (uint64_t[]){0x7010}, 1, 0);
	synthetic_end(s);
	for (unsigned i = 0; i < 3000; i++)
		append("t.er/map.xml", LOAD("0x%x", "0x100", "0", "f%u", ""), 0x7000 + i % 7, i);
	append("t.er/map.xml", "%s",
		LOAD("0xfffffffffffffff0", "0x100", "0", "over", "") LOAD("0x1", "0", "0", "none", "")
			GONE("0x123", "7") "<event kind=\"func_load\"/>\n");
	struct data *data = load("t.er");
	name_of(data, 0, stack);
	ck_assert_uint_gt(data->experiments[0].file->damage.log_lines_bad, 0);
	data_destroy(data);
}
END_TEST

#define SAMPLE(raw, label, more) "<event kind=\"sample\" raw=\"" raw "\" label=\"" label "\" " more "/>\n"

START_TEST(samples_are_numbered_by_time)
{
	struct synthetic *s = synthetic_begin("t.er");
	synthetic_time(s, 5000000);
	synthetic_end(s);
	append("t.er/log.xml", "%s",
		SAMPLE("5000003000000", "periodic", "user=\"30\" resident_peak=\"9\"")
			SAMPLE("5000001000000", "start", "user=\"10\" resident_peak=\"10\"")
				SAMPLE("5000002000000", "end", "user=\"20\" by=\"API\" resident=\"nonsense\""));
	struct data *data = load("t.er");
	const struct process_samples *samples = &data->experiments[0].samples;
	ck_assert_uint_eq(samples->count, 3);
	/* The program may call a sample as it likes: this one has no end. */
	ck_assert_uint_eq(samples->stretches, 3);
	ck_assert_str_eq(samples->points[1].label, "end");
	ck_assert_uint_eq(samples->points[2].values.value[SAMPLE_user], 30);
	/* A peak does not fall; what is not known stays so. */
	ck_assert_uint_eq(samples->points[2].values.value[SAMPLE_resident_peak], 10);
	ck_assert(!samples->points[1].values.known[SAMPLE_resident_peak]);
	ck_assert(!samples->points[1].values.known[SAMPLE_resident]);
	static const uint64_t times[] = {0, 999999, 1000000, 1999999, 2000000, 3000000, 99000000};
	static const uint32_t numbers[] = {0, 0, 1, 1, 2, 3, 3};
	for (unsigned i = 0; i < 7; i++)
		ck_assert_uint_eq(process_samples_at(samples, times[i]), numbers[i]);
	data_destroy(data);
	append("t.er/log.xml", "%s", SAMPLE("5000004000000", "end", ""));
	data = load("t.er");
	ck_assert_uint_eq(data->experiments[0].samples.stretches, 3);
	data_destroy(data);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("announced");
	TCase *tests = tcase_create("announced");
	tcase_add_checked_fixture(tests, enter_scratch, leave_scratch);
	tcase_add_test(tests, an_address_has_the_name_that_it_had_then);
	tcase_add_test(tests, lines_and_code_are_those_that_were_saved);
	tcase_add_test(tests, a_fork_child_has_what_its_parent_had);
	tcase_add_test(tests, more_at_one_place_than_are_kept_is_survived);
	tcase_add_test(tests, samples_are_numbered_by_time);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
