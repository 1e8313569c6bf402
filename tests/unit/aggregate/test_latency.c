// SPDX-License-Identifier: Apache-2.0
// The program's elapsed time is divided among its threads: those that run at the same time have equal parts, and a time at which
// none runs is that of the wait that ends it. Times are in milliseconds; the expected ones are counted by hand beside the runs.
#include "metric_events.h"
#include "stack_sums.h"
#include "storage.h"
#include "synthetic.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MILLISECOND = 1000000 };
enum { RUNNABLE = STATE_VALUE(OFFCPU, state, runnable), LOCK = STATE_VALUE(OFFCPU, state, lock) };
enum { FILES = STATE_VALUE(OFFCPU, state, file), CHILD = STATE_VALUE(OFFCPU, state, child) };
enum { PERF = STATE_VALUE(THREAD, clock, perf), TIMER = STATE_VALUE(THREAD, clock, timer) };

static char scratch[] = "/tmp/latency-test.XXXXXX";

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

static void life(struct synthetic *s, uint32_t thread, uint64_t clock, uint64_t begin, uint64_t end)
{
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(THREAD, clock)] = clock};
	synthetic_event(s, KIND_THREAD, thread, begin * MILLISECOND, 0, fields);
	fields[FIELD_INDEX(THREAD, what)] = STATE_VALUE(THREAD, what, end);
	synthetic_event(s, KIND_THREAD, thread, end * MILLISECOND, 0, fields);
}

static void tick(struct synthetic *s, uint32_t thread, uint64_t time, uint64_t used)
{
	synthetic_clock(s, thread, time * MILLISECOND, 0, used * MILLISECOND, 0);
}

static void off(struct synthetic *s, uint32_t thread, uint64_t from, uint64_t to, uint64_t state)
{
	uint64_t fields[FIELDS_MAX] = {
		[FIELD_INDEX(OFFCPU, duration)] = (to - from) * MILLISECOND, [FIELD_INDEX(OFFCPU, state)] = state};
	synthetic_event(s, KIND_OFFCPU, thread, to * MILLISECOND, 0, fields);
}

/* The events with a value must be those: by experiment, thread and time. */
struct expected {
	uint32_t thread;
	uint64_t time, value;
};

static void check(const char *path, const struct expected *expected, size_t count, uint64_t sum)
{
	struct data *data = data_create();
	struct error error;
	ck_assert_msg(data_load(data, path, &error), "%s", error.text);
	const struct metric_table *metrics = metrics_builtin();
	int latency = metric_find(metrics, "latency");
	ck_assert_int_ge(latency, 0);
	struct metric_events events = metric_events_read(data, metrics, (unsigned)latency, 0);
	ck_assert_uint_eq(events.count, count);
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_eq(events.all[i].thread, expected[i].thread);
		ck_assert_uint_eq(events.all[i].time, expected[i].time * MILLISECOND);
		ck_assert_uint_eq(events.all[i].value, expected[i].value * MILLISECOND);
	}
	bool *wanted = memory_new(metrics->count, sizeof *wanted);
	wanted[latency] = true;
	struct stack_sums *sums = stack_sums_compute(data, metrics, 0, wanted);
	ck_assert_uint_eq(sums->total[latency], sum * MILLISECOND);
	stack_sums_free(sums);
	free(wanted);
	free(events.all);
	data_destroy(data);
}
#define CHECK(path, sum, ...)                                                                                          \
	check(path, (const struct expected[]){__VA_ARGS__},                                                            \
		sizeof((const struct expected[]){__VA_ARGS__}) / sizeof(struct expected), sum)

/* 1 runs from 10 to 30, 50 to 60 and 90 to 100, 2 from 20 to 40 and 72 to 80. */
static void two_threads(struct synthetic *s)
{
	life(s, 1, PERF, 10, 100);
	life(s, 2, PERF, 20, 80);
	tick(s, 1, 20, 10);
	tick(s, 1, 30, 10);
	off(s, 1, 30, 50, LOCK);
	tick(s, 1, 60, 10);
	off(s, 1, 60, 90, LOCK);
	tick(s, 1, 100, 10);
	tick(s, 2, 30, 10);
	tick(s, 2, 40, 10);
	off(s, 2, 40, 70, FILES);
	off(s, 2, 70, 72, RUNNABLE);
	tick(s, 2, 80, 8);
}

START_TEST(each_moment_is_divided)
{
	struct synthetic *s = synthetic_begin("two.er");
	two_threads(s);
	synthetic_end(s);
	/* Both run from 20 to 30. None from 40 to 50, until the lock is free; 60 to 72, until the file is read; 80 to 90. */
	CHECK("two.er", 90, {1, 20, 10}, {1, 30, 5}, {1, 50, 10}, {1, 60, 10}, {1, 90, 10}, {1, 100, 10}, {2, 30, 5},
		{2, 40, 10}, {2, 70, 10}, {2, 72, 2}, {2, 80, 8});
}
END_TEST

START_TEST(threads_without_states_are_not_there)
{
	struct synthetic *s = synthetic_begin("others.er");
	two_threads(s);
	life(s, 3, TIMER, 0, 200);
	tick(s, 3, 150, 140);
	/* It seems to have run for 100 ms and used 20: its context switches are not known. */
	life(s, 4, PERF, 5, 105);
	tick(s, 4, 70, 20);
	synthetic_end(s);
	CHECK("others.er", 90, {1, 20, 10}, {1, 30, 5}, {1, 50, 10}, {1, 60, 10}, {1, 90, 10}, {1, 100, 10}, {2, 30, 5},
		{2, 40, 10}, {2, 70, 10}, {2, 72, 2}, {2, 80, 8});
}
END_TEST

START_TEST(descendants_are_of_the_program)
{
	struct settings settings;
	settings_default(&settings);
	struct synthetic *s = synthetic_begin("family.er");
	struct synthetic *child = synthetic_begin_with("family.er/_f1.er", &settings, 1e9,
		(struct time_triple){SYNTHETIC_MONOTONIC + 12 * MILLISECOND, SYNTHETIC_MONOTONIC + 12 * MILLISECOND,
			SYNTHETIC_REALTIME + 12 * MILLISECOND});
	/* The first process runs until 10 and waits until its end, the child runs from 15 to 95 by the first one's clock. */
	life(s, 1, PERF, 0, 100);
	tick(s, 1, 10, 10);
	off(s, 1, 10, 100, CHILD);
	synthetic_end(s);
	life(child, 1, PERF, 3, 83);
	tick(child, 1, 43, 40);
	tick(child, 1, 83, 40);
	synthetic_end(child);
	/* From 10 to 15 the child is what was waited for; from 95 on it is the first process's own wait. */
	CHECK("family.er", 100, {1, 10, 10}, {1, 100, 5}, {1, 55, 45}, {1, 95, 40});
}
END_TEST

START_TEST(pauses_are_left_out)
{
	struct synthetic *s = synthetic_begin("paused.er");
	life(s, 1, PERF, 0, 100);
	tick(s, 1, 30, 30);
	off(s, 1, 30, 40, FILES);
	synthetic_time(s, 40 * MILLISECOND);
	synthetic_log_with(s, "pause", 40 * MILLISECOND, "name=API", 0);
	synthetic_log_with(s, "resume", 60 * MILLISECOND, "name=API", 0);
	tick(s, 1, 100, 40);
	synthetic_end(s);
	CHECK("paused.er", 80, {1, 30, 30}, {1, 40, 10}, {1, 100, 40});
}
END_TEST

/* Four threads that run all the time, one of them twice as long: 100 ms by four, 100 ms by one. */
START_TEST(parallel_work_counts_less)
{
	struct synthetic *s = synthetic_begin("four.er");
	for (uint32_t thread = 1; thread <= 4; thread++) {
		uint64_t end = thread == 4 ? 200 : 100;
		life(s, thread, PERF, 0, end);
		for (uint64_t time = 50; time <= end; time += 50)
			tick(s, thread, time, 50);
	}
	synthetic_end(s);
	struct data *data = data_create();
	struct error error;
	ck_assert(data_load(data, "four.er", &error));
	struct metric_events events =
		metric_events_read(data, metrics_builtin(), (unsigned)metric_find(metrics_builtin(), "latency"), 0);
	ck_assert_uint_eq(events.count, 10);
	uint64_t sum = 0;
	for (size_t i = 0; i < events.count; i++) {
		sum += events.all[i].value;
		ck_assert_uint_eq(
			events.all[i].value, events.all[i].time > 100 * MILLISECOND ? 50 * MILLISECOND : 12500000);
	}
	ck_assert_uint_eq(sum, 200 * MILLISECOND);
	free(events.all);
	data_destroy(data);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("latency");
	TCase *test = tcase_create("all");
	tcase_add_checked_fixture(test, enter_scratch, leave_scratch);
	tcase_add_test(test, each_moment_is_divided);
	tcase_add_test(test, threads_without_states_are_not_there);
	tcase_add_test(test, descendants_are_of_the_program);
	tcase_add_test(test, pauses_are_left_out);
	tcase_add_test(test, parallel_work_counts_less);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
