// SPDX-License-Identifier: Apache-2.0
// A wait is ended by the last wakeup for its object, by another thread, before its end. Times are in microseconds.
#define UNIT   1000
#define TESTED "wakeup"
#include "states_run.h"

enum { ONE = 0x7f0000001000, OTHER = 0x7f0000002000 };

static void wake(struct synthetic *s, uint32_t thread, uint64_t time, uint64_t object)
{
	off_for(s, thread, time, time, WAKING, object);
}

START_TEST(last_before_the_end)
{
	struct synthetic *s = synthetic_begin("last.er");
	off_for(s, 1, 20000, 60000, LOCK, ONE);
	wake(s, 2, 30000, ONE); /* another thread was faster to take it */
	wake(s, 2, 50000, ONE);
	wake(s, 3, 55000, OTHER);
	wake(s, 1, 58000, ONE); /* its own */
	wake(s, 3, 70000, ONE);
	synthetic_end(s);
	CHECK("last.er", 40000, {2, 50000, 40000});
}
END_TEST

START_TEST(one_wakes_many)
{
	struct synthetic *s = synthetic_begin("many.er");
	wake(s, 1, 50000, ONE);
	off_for(s, 2, 10000, 50100, LOCK, ONE);
	off_for(s, 3, 20000, 50300, LOCK, ONE);
	off_for(s, 3, 60000, 70000, LOCK, OTHER); /* nobody ended it */
	off_for(s, 3, 80000, 90000, FILES, 0);
	synthetic_end(s);
	CHECK("many.er", 40100 + 30300, {1, 50000, 40100 + 30300});
}
END_TEST

START_TEST(estimates_may_be_a_little_wrong)
{
	struct synthetic *s = synthetic_begin("near.er");
	off_for(s, 1, 10000, 20000, LOCK, ONE);
	wake(s, 2, 20020, ONE);
	off_for(s, 1, 30000, 40000, LOCK, ONE);
	wake(s, 2, 40021, ONE);
	off_for(s, 1, 50000, 60000, LOCK, OTHER);
	wake(s, 3, 49900, OTHER);
	off_for(s, 1, 70000, 80000, LOCK, OTHER);
	wake(s, 3, 69899, OTHER);
	synthetic_end(s);
	CHECK("near.er", 20000, {2, 20020, 10000}, {3, 49900, 10000});
}
END_TEST

/* The kernel's account of the run queue may say that it was there earlier than it was. */
START_TEST(then_it_waits_for_a_cpu)
{
	struct synthetic *s = synthetic_begin("queue.er");
	off_for(s, 1, 10000, 20000, LOCK, ONE);
	off(s, 1, 20000, 20500, RUNNABLE);
	wake(s, 2, 20400, ONE);
	off_for(s, 1, 30000, 40000, LOCK, ONE);
	off(s, 1, 40600, 40900, RUNNABLE); /* another time */
	wake(s, 2, 40800, ONE);
	synthetic_end(s);
	CHECK("queue.er", 10000, {2, 20400, 10000});
}
END_TEST

START_TEST(processes_are_apart)
{
	struct settings settings;
	settings_default(&settings);
	struct synthetic *s = synthetic_begin("apart.er");
	struct synthetic *child = synthetic_begin_with("apart.er/_f1.er", &settings, 1e9,
		(struct time_triple){SYNTHETIC_MONOTONIC, SYNTHETIC_MONOTONIC, SYNTHETIC_REALTIME});
	off_for(s, 1, 10000, 20000, LOCK, ONE);
	wake(s, 2, 15000, ONE);
	synthetic_end(s);
	wake(child, 1, 19000, ONE);
	off_for(child, 2, 21000, 22000, LOCK, ONE);
	synthetic_end(child);
	CHECK("apart.er", 10000, {2, 15000, 10000});
}
END_TEST

/* All processes know an object behind a descriptor by one number; thread numbers are each process's own. */
START_TEST(processes_share_some_objects)
{
	const uint64_t pipe = OBJECT_SHARED | ONE;
	struct settings settings;
	settings_default(&settings);
	struct synthetic *s = synthetic_begin("shared.er");
	struct synthetic *child = synthetic_begin_with("shared.er/_f1.er", &settings, 1e9,
		(struct time_triple){SYNTHETIC_MONOTONIC, SYNTHETIC_MONOTONIC, SYNTHETIC_REALTIME});
	off_for(s, 1, 10000, 20000, FILES, pipe);
	wake(s, 1, 19000, pipe); /* its own */
	synthetic_end(s);
	wake(child, 1, 18000, pipe);
	wake(child, 1, 17000, ONE);
	synthetic_end(child);
	CHECK("shared.er", 10000, {1, 18000, 10000});
}
END_TEST

/* Two programs that were recorded apart may know different objects by one number. */
START_TEST(programs_are_apart)
{
	const uint64_t pipe = OBJECT_SHARED | ONE;
	struct synthetic *s = synthetic_begin("one.er");
	off_for(s, 1, 10000, 20000, FILES, pipe);
	wake(s, 2, 18000, pipe);
	synthetic_end(s);
	s = synthetic_begin("other.er");
	off_for(s, 3, 10000, 20000, FILES, pipe);
	wake(s, 4, 19000, pipe);
	synthetic_end(s);
	struct data *data = data_create();
	struct error error;
	ck_assert(data_load(data, "one.er", &error) && data_load(data, "other.er", &error));
	const struct metric_table *metrics = metrics_builtin();
	struct metric_events events = metric_events_read(data, metrics, (unsigned)metric_find(metrics, TESTED), 0);
	ck_assert_uint_eq(events.count, 2);
	for (uint32_t i = 0; i < events.count; i++)
		ck_assert_uint_eq(events.all[i].value, 10000 * UNIT);
	free(events.all);
	data_destroy(data);
}
END_TEST

static void begin_thread(struct synthetic *s, uint32_t thread, uint64_t tid)
{
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(THREAD, tid)] = tid};
	synthetic_event(s, KIND_THREAD, thread, UNIT, 0, fields);
}

/* The kernel's record has the woken thread, by its own id, and the moment. The wait's own object comes first. */
START_TEST(seen_by_the_kernel)
{
	const uint64_t woken = OBJECT_THREAD | 4321, another = OBJECT_THREAD | 4322;
	struct synthetic *s = synthetic_begin("seen.er");
	begin_thread(s, 1, 4321);
	off_for(s, 1, 10000, 20000, BLOCKED, 0);
	off(s, 1, 20000, 20500, RUNNABLE);
	wake(s, 2, 19000, another);
	wake(s, 2, 20004, woken);
	off_for(s, 1, 21000, 30000, LOCK, ONE); /* ended by a thread that is not known */
	off_for(s, 1, 40000, 50000, LOCK, ONE);
	wake(s, 2, 49000, ONE);
	wake(s, 3, 49001, woken);
	off_for(s, 1, 60000, 70000, LOCK, ONE);
	wake(s, 3, 69000, woken);
	off_for(s, 1, 80000, 90000, BLOCKED, 0);
	wake(s, 2, 90006, woken); /* another time */
	synthetic_end(s);
	CHECK("seen.er", 30000, {2, 20004, 10000}, {2, 49000, 10000}, {3, 69000, 10000});
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("wakeups");
	TCase *test = tcase_create("all");
	tcase_add_checked_fixture(test, enter_scratch, leave_scratch);
	tcase_add_test(test, last_before_the_end);
	tcase_add_test(test, one_wakes_many);
	tcase_add_test(test, estimates_may_be_a_little_wrong);
	tcase_add_test(test, then_it_waits_for_a_cpu);
	tcase_add_test(test, processes_are_apart);
	tcase_add_test(test, processes_share_some_objects);
	tcase_add_test(test, programs_are_apart);
	tcase_add_test(test, seen_by_the_kernel);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
