// SPDX-License-Identifier: Apache-2.0
// Tasks of OpenMP by where they are created: how many, in how many threads, and for how long. Times are in microseconds.
#include "omp_synthetic.h"
#include "omp_tasks.h"

#include <check.h>
#include <stdlib.h>

static void event(struct synthetic *s, uint32_t thread, uint64_t time, uint64_t what, uint64_t duration, uint32_t stack)
{
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(OPENMP, what)] = what,
		[FIELD_INDEX(OPENMP, region)] = 1,
		[FIELD_INDEX(OPENMP, duration)] = duration * UNIT};
	synthetic_event(s, KIND_OPENMP, thread, time * UNIT, stack, fields);
}

static void task(struct synthetic *s, uint32_t thread, uint64_t time, uint64_t duration, uint32_t stack)
{
	event(s, thread, time, STATE_VALUE(OPENMP, what, task), duration, stack);
}

static void check(const struct omp_task_sums *sums, uint64_t tasks, uint64_t threads, uint64_t time, uint64_t longest)
{
	ck_assert_uint_eq(sums->tasks, tasks);
	ck_assert_uint_eq(sums->threads, threads);
	ck_assert_uint_eq(sums->time, time * UNIT);
	ck_assert_uint_eq(sums->longest, longest * UNIT);
}

static struct data *data;
static struct resolver *resolver;

static struct omp_tasks *read_tasks(const char *path, const struct event_filter *filter)
{
	struct error error;
	data = data_create();
	ck_assert_msg(data_load(data, path, &error), "%s", error.text);
	resolver = resolver_create(data);
	return omp_tasks_read(data, filter, resolver);
}

static void forget(struct omp_tasks *tasks)
{
	omp_tasks_free(tasks);
	resolver_destroy(resolver);
	data_destroy(data);
}

/* One function's tasks are created at two places, another one's at one; a member's events among them. */
static void some_tasks(struct synthetic *s)
{
	event(s, 1, 1000, STATE_VALUE(OPENMP, what, member_begin), 0, 0);
	task(s, 1, 1100, 100, site(s, ONE, 0x10));
	task(s, 1, 1300, 200, site(s, ONE, 0x20));
	task(s, 2, 1350, 350, site(s, ONE, 0x10));
	task(s, 3, 1400, 20, site(s, OTHER, 0x10));
	task(s, 3, 1500, 30, site(s, OTHER, 0x10));
	event(s, 1, 2000, STATE_VALUE(OPENMP, what, member_end), 0, 0);
	synthetic_end(s);
}

START_TEST(tasks_add_up_by_function)
{
	some_tasks(begin("tasks.er"));
	struct omp_tasks *tasks = read_tasks("tasks.er", 0);
	ck_assert_uint_eq(tasks->site_count, 2);
	check(&tasks->sites[0].sums, 3, 2, 650, 350);
	check(&tasks->sites[1].sums, 2, 1, 50, 30);
	ck_assert(tasks->sites[0].site.outlined);
	check(&tasks->total, 5, 3, 700, 350);
	forget(tasks);
}
END_TEST

START_TEST(tasks_of_one_function_by_the_lines_of_their_creation)
{
	struct synthetic *s = begin("told.er");
	for (uint64_t i = 0; i < 3; i++) {
		uint64_t call[] = {ONE + 0x10, ONE + 0x100 + i / 2 * 0x40};
		task(s, 1, 1000 + 10 * i, 5, synthetic_stack(s, call, 2, SYNTHETIC_RETURN_ADDRESS));
	}
	synthetic_end(s);
	struct omp_tasks *tasks = read_tasks("told.er", 0);
	ck_assert_uint_eq(tasks->site_count, 2);
	check(&tasks->sites[0].sums, 2, 1, 10, 5);
	check(&tasks->sites[1].sums, 1, 1, 5, 5);
	ck_assert(!tasks->sites[0].site.outlined);
	forget(tasks);
}
END_TEST

START_TEST(a_filter_keeps_those_of_its_threads)
{
	struct error error;
	some_tasks(begin("filter.er"));
	struct expression *expression = expression_parse("THRID!=2", 0, 0, &error);
	ck_assert_msg(expression, "%s", error.text);
	struct event_filter filter = {.expression = expression};
	omp_tasks_free(read_tasks("filter.er", 0));
	expression_prepare(expression, &(struct expression_setting){.data = data, .resolver = resolver});
	struct omp_tasks *tasks = omp_tasks_read(data, &filter, resolver);
	check(&tasks->total, 4, 2, 350, 200);
	forget(tasks);
	expression_free(expression);
}
END_TEST

START_TEST(waits_are_part_of_the_time)
{
	struct synthetic *s = begin("waits.er");
	for (uint64_t i = 1; i < 3; i++) {
		uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(OPENMP, what)] = STATE_VALUE(OPENMP, what, task),
			[FIELD_INDEX(OPENMP, duration)] = i * 100 * UNIT,
			[FIELD_INDEX(OPENMP, waited)] = i * 30 * UNIT};
		synthetic_event(s, KIND_OPENMP, 1, i * 1000 * UNIT, site(s, ONE, 0x10), fields);
	}
	synthetic_end(s);
	struct omp_tasks *tasks = read_tasks("waits.er", 0);
	check(&tasks->total, 2, 1, 300, 200);
	ck_assert_uint_eq(tasks->total.wait, 90 * UNIT);
	ck_assert_uint_eq(tasks->sites[0].sums.wait, 90 * UNIT);
	forget(tasks);
}
END_TEST

START_TEST(none_are_recorded)
{
	struct synthetic *s = begin("none.er");
	event(s, 1, 1000, STATE_VALUE(OPENMP, what, member_begin), 0, 0);
	synthetic_end(s);
	struct omp_tasks *tasks = read_tasks("none.er", 0);
	ck_assert_uint_eq(tasks->site_count, 0);
	check(&tasks->total, 0, 0, 0, 0);
	forget(tasks);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("omp_tasks");
	TCase *tasks = tcase_create("omp_tasks");
	tcase_add_checked_fixture(tasks, enter_scratch, leave_scratch);
	tcase_add_test(tasks, tasks_add_up_by_function);
	tcase_add_test(tasks, tasks_of_one_function_by_the_lines_of_their_creation);
	tcase_add_test(tasks, a_filter_keeps_those_of_its_threads);
	tcase_add_test(tasks, waits_are_part_of_the_time);
	tcase_add_test(tasks, none_are_recorded);
	suite_add_tcase(suite, tasks);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
