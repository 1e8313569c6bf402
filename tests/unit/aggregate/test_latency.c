// SPDX-License-Identifier: Apache-2.0
// The program's elapsed time is divided among its threads: those that run at the same time have equal parts, and a time at which
// none runs is that of the wait that ends it. Times are in milliseconds; the expected ones are counted by hand beside the runs.
#define UNIT   MILLISECOND
#define TESTED "latency"
enum { MILLISECOND = 1000000 };
#include "states_run.h"

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

/* The second thread's runs are known by its clock: 30 to 50 and 70 to 80. */
START_TEST(threads_without_states_run_before_their_events)
{
	struct synthetic *s = synthetic_begin("timer.er");
	life(s, 1, PERF, 0, 100);
	tick(s, 1, 20, 20);
	off(s, 1, 20, 60, LOCK);
	tick(s, 1, 100, 40);
	life(s, 2, TIMER, 10, 90);
	tick(s, 2, 50, 20);
	tick(s, 2, 80, 10);
	synthetic_end(s);
	/* None from 20 to 30, before the second one's, and from 50 to 60. Both from 70 to 80. */
	CHECK("timer.er", 100, {1, 20, 20}, {1, 60, 10}, {1, 100, 35}, {2, 50, 30}, {2, 80, 5});
}
END_TEST

/* Only 10 of the 70 ms off the CPU are known; it ran from 20 to 30 and from 80. */
START_TEST(lost_intervals_are_not_time_that_it_ran)
{
	struct synthetic *s = synthetic_begin("lost.er");
	life(s, 1, PERF, 0, 100);
	off(s, 1, 10, 20, FILES);
	tick(s, 1, 30, 10);
	tick(s, 1, 100, 20);
	off(s, 1, 40, 100, STATE_VALUE(OFFCPU, state, unexplained));
	synthetic_end(s);
	CHECK("lost.er", 100, {1, 20, 10}, {1, 30, 20}, {1, 100, 70});
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
	tcase_add_test(test, threads_without_states_run_before_their_events);
	tcase_add_test(test, lost_intervals_are_not_time_that_it_ran);
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
