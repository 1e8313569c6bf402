// SPDX-License-Identifier: Apache-2.0
// Which region, task and state of OpenMP a thread was in when, and the metrics of these. Times are in microseconds.
#include "event_filter.h"
#include "metrics.h"
#include "omp_synthetic.h"
#include "omp_times.h"

#include <check.h>
#include <stdlib.h>

enum { BEGIN = STATE_VALUE(OPENMP, what, region_begin), END = STATE_VALUE(OPENMP, what, region_end) };
enum { WORKS = STATE_VALUE(OPENMP, what, member_begin), RESTS = STATE_VALUE(OPENMP, what, member_end) };
enum { TASK = STATE_VALUE(OPENMP, what, task), WAIT = STATE_VALUE(OPENMP, what, wait) };

struct omp_event {
	uint64_t what, region, parent, task, duration, construct, waits;
};

static void event(struct synthetic *s, uint32_t thread, uint64_t time, struct omp_event event)
{
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(OPENMP, what)] = event.what,
		[FIELD_INDEX(OPENMP, region)] = event.region,
		[FIELD_INDEX(OPENMP, parent)] = event.parent,
		[FIELD_INDEX(OPENMP, task)] = event.task,
		[FIELD_INDEX(OPENMP, duration)] = event.duration * UNIT,
		[FIELD_INDEX(OPENMP, waits)] = event.waits,
		[FIELD_INDEX(OPENMP, construct)] = event.construct};
	uint32_t stack = event.what == BEGIN ? site(s, ONE, 0x10 * event.region) : 0;
	synthetic_event(s, KIND_OPENMP, thread, time * UNIT, stack, fields);
}

static void wait_at(
	struct synthetic *s, uint32_t thread, uint64_t time, uint64_t region, uint64_t construct, uint64_t duration)
{
	event(s, thread, time,
		(struct omp_event){
			.what = WAIT, .region = region, .construct = construct, .duration = duration, .waits = 1});
}

static void task(struct synthetic *s, uint32_t thread, uint64_t time, uint64_t region, uint64_t number, uint64_t parent,
	uint64_t own)
{
	event(s, thread, time,
		(struct omp_event){.what = TASK, .region = region, .task = number, .parent = parent, .duration = own});
}

static struct data *data;
static struct omp_times *times;

static void read_times(const char *path)
{
	struct error error;
	data = data_create();
	ck_assert_msg(data_load(data, path, &error), "%s", error.text);
	times = omp_times_read(data);
}

static void forget(void)
{
	omp_times_free(times);
	data_destroy(data);
}

/* From that time on, and just before it not. */
static void check(uint32_t thread, uint64_t time, enum omp_state state, uint64_t region, uint64_t number)
{
	struct omp_change at = omp_times_at(times, 0, thread, time * UNIT);
	const struct omp_instance *of = omp_region_of(times, 0, &at);
	const struct omp_task_number *runs = omp_task_of(times, 0, &at);
	ck_assert_msg(at.state == state, "state of %u at %lu: %u", thread, (unsigned long)time, (unsigned)at.state);
	ck_assert_uint_eq(of ? of->number : 0, region);
	ck_assert_uint_eq(runs ? runs->number : 0, number);
	if (time)
		ck_assert_uint_eq(at.time, time * UNIT);
}

/* Thread 1 begins two regions, thread 2 works in both. */
START_TEST(regions_of_members_and_workers)
{
	struct synthetic *s = begin("regions.er");
	event(s, 1, 100, (struct omp_event){.what = BEGIN, .region = 1});
	event(s, 1, 110, (struct omp_event){.what = WORKS, .region = 1});
	event(s, 2, 120, (struct omp_event){.what = WORKS, .region = 1});
	event(s, 1, 200, (struct omp_event){.what = RESTS, .region = 1});
	event(s, 2, 300, (struct omp_event){.what = RESTS, .region = 1});
	event(s, 1, 310, (struct omp_event){.what = END, .region = 1});
	event(s, 1, 500, (struct omp_event){.what = BEGIN, .region = 2});
	event(s, 1, 510, (struct omp_event){.what = WORKS, .region = 2});
	event(s, 2, 520, (struct omp_event){.what = WORKS, .region = 2});
	event(s, 1, 600, (struct omp_event){.what = RESTS, .region = 2});
	event(s, 2, 610, (struct omp_event){.what = RESTS, .region = 2});
	event(s, 1, 620, (struct omp_event){.what = END, .region = 2});
	synthetic_end(s);
	read_times("regions.er");
	check(1, 0, OMP_SERIAL, 0, 0);
	check(1, 100, OMP_OVERHEAD, 1, 0);
	check(1, 110, OMP_WORK, 1, 0);
	check(1, 200, OMP_IMPLICIT_BARRIER, 1, 0);
	check(1, 310, OMP_SERIAL, 0, 0);
	check(1, 600, OMP_IMPLICIT_BARRIER, 2, 0);
	check(1, 620, OMP_SERIAL, 0, 0);
	check(2, 0, OMP_IDLE, 0, 0);
	check(2, 120, OMP_WORK, 1, 0);
	check(2, 300, OMP_IMPLICIT_BARRIER, 1, 0);
	check(2, 310, OMP_IDLE, 0, 0);
	check(2, 520, OMP_WORK, 2, 0);
	ck_assert_ptr_null(omp_times_of(times, 0, 3));
	ck_assert_uint_eq(omp_times_at(times, 0, 3, 200 * UNIT).state, OMP_NONE);
	forget();
}
END_TEST

/* Task 7 runs from 200 to 900, and waits from 300 to 800: in that time the thread runs task 8 from 400 to 500, and task 9 from 600
   to 700. The waits' and tasks' own times are what is left. */
START_TEST(tasks_and_waits_inside_of_each_other)
{
	struct synthetic *s = begin("tasks.er");
	event(s, 1, 100, (struct omp_event){.what = BEGIN, .region = 1});
	event(s, 1, 100, (struct omp_event){.what = WORKS, .region = 1});
	task(s, 1, 150, 1, 6, 0, 30);
	task(s, 1, 500, 1, 8, 7, 100);
	task(s, 1, 700, 1, 9, 7, 100);
	wait_at(s, 1, 800, 1, STATE_VALUE(OPENMP, construct, taskwait), 300);
	task(s, 1, 900, 1, 7, 0, 500);
	wait_at(s, 1, 950, 1, STATE_VALUE(OPENMP, construct, critical), 20);
	event(s, 1, 990, (struct omp_event){.what = RESTS, .region = 1});
	event(s, 1, 1000, (struct omp_event){.what = END, .region = 1});
	synthetic_end(s);
	read_times("tasks.er");
	check(1, 100, OMP_WORK, 1, 0);
	check(1, 120, OMP_WORK, 1, 6);
	check(1, 150, OMP_WORK, 1, 0);
	check(1, 200, OMP_WORK, 1, 7);
	check(1, 300, OMP_TASKWAIT, 1, 7);
	check(1, 400, OMP_WORK, 1, 8);
	check(1, 500, OMP_TASKWAIT, 1, 7);
	check(1, 600, OMP_WORK, 1, 9);
	check(1, 700, OMP_TASKWAIT, 1, 7);
	check(1, 800, OMP_WORK, 1, 7);
	check(1, 900, OMP_WORK, 1, 0);
	check(1, 930, OMP_CRITICAL, 1, 0);
	check(1, 950, OMP_WORK, 1, 0);
	struct omp_change at = omp_times_at(times, 0, 1, 450 * UNIT);
	ck_assert_uint_eq(omp_task_of(times, 0, &at)->parent, 7);
	forget();
}
END_TEST

/* The own time of task 5 has the region that it began, with a task of that. After its end the member runs another in the
   barrier. */
START_TEST(regions_inside_of_tasks)
{
	struct synthetic *s = begin("inner.er");
	event(s, 1, 100, (struct omp_event){.what = BEGIN, .region = 1});
	event(s, 1, 100, (struct omp_event){.what = WORKS, .region = 1});
	event(s, 1, 300, (struct omp_event){.what = BEGIN, .region = 2, .parent = 1});
	event(s, 1, 310, (struct omp_event){.what = WORKS, .region = 2});
	task(s, 1, 350, 2, 6, 0, 30);
	event(s, 1, 400, (struct omp_event){.what = RESTS, .region = 2});
	event(s, 1, 410, (struct omp_event){.what = END, .region = 2});
	task(s, 1, 500, 1, 5, 0, 300);
	event(s, 1, 600, (struct omp_event){.what = RESTS, .region = 1});
	task(s, 1, 700, 1, 7, 0, 50);
	event(s, 1, 800, (struct omp_event){.what = END, .region = 1});
	synthetic_end(s);
	read_times("inner.er");
	check(1, 200, OMP_WORK, 1, 5);
	check(1, 300, OMP_OVERHEAD, 2, 0);
	check(1, 310, OMP_WORK, 2, 0);
	check(1, 320, OMP_WORK, 2, 6);
	check(1, 350, OMP_WORK, 2, 0);
	check(1, 400, OMP_IMPLICIT_BARRIER, 2, 0);
	check(1, 410, OMP_WORK, 1, 5);
	check(1, 500, OMP_WORK, 1, 0);
	check(1, 600, OMP_IMPLICIT_BARRIER, 1, 0);
	check(1, 650, OMP_WORK, 1, 7);
	check(1, 700, OMP_IMPLICIT_BARRIER, 1, 0);
	check(1, 800, OMP_SERIAL, 0, 0);
	ck_assert_uint_eq(omp_region_numbered(times, 0, 2)->parent, 1);
	ck_assert_ptr_null(omp_region_numbered(times, 0, 3));
	forget();
}
END_TEST

/* Sums of short waits have no time of their own, and durations of the others may be longer than what they are in. */
START_TEST(waits_that_are_sums_and_too_long)
{
	struct synthetic *s = begin("sums.er");
	event(s, 1, 100, (struct omp_event){.what = BEGIN, .region = 1});
	event(s, 1, 110, (struct omp_event){.what = WORKS, .region = 1});
	wait_at(s, 1, 150, 1, STATE_VALUE(OPENMP, construct, lock), 60);
	event(s, 1, 300, (struct omp_event){.what = WAIT, .region = 1, .duration = 100, .waits = 50});
	event(s, 1, 310, (struct omp_event){.what = WAIT, .region = 1, .duration = 9, .waits = 1});
	event(s, 1, 400, (struct omp_event){.what = RESTS, .region = 1});
	event(s, 1, 450, (struct omp_event){.what = END, .region = 1});
	synthetic_end(s);
	read_times("sums.er");
	check(1, 110, OMP_LOCK, 1, 0);
	check(1, 150, OMP_WORK, 1, 0);
	check(1, 400, OMP_IMPLICIT_BARRIER, 1, 0);
	forget();
}
END_TEST

static uint64_t sum_of(const char *name)
{
	const struct metric_table *table = metrics_builtin();
	uint64_t *sums[32], events = 0, sum = 0;
	unsigned count = 0, own = 0;
	int wanted = metric_find(table, name);
	ck_assert_int_ge(wanted, 0);
	for (unsigned m = 0; m < table->count; m++)
		if (metric_same_pass(&table->rows[m], &table->rows[wanted])) {
			own = m == (unsigned)wanted ? count : own;
			sums[count++] = calloc(data->stack_count, sizeof **sums);
		}
	table->rows[wanted].pass(data, 0, 0, sums, &events);
	for (uint32_t i = 0; i < data->stack_count; i++)
		sum += sums[own][i];
	for (unsigned i = 0; i < count; i++)
		free(sums[i]);
	return sum / UNIT;
}

static void clock_tick(struct synthetic *s, uint32_t thread, uint64_t time, uint64_t user)
{
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(CLOCK, user)] = user * UNIT};
	synthetic_event(s, KIND_CLOCK, thread, time * UNIT, site(s, ONE, 0x10), fields);
}

static void off_cpu(struct synthetic *s, uint32_t thread, uint64_t time, uint64_t duration)
{
	uint64_t fields[FIELDS_MAX] = {
		[FIELD_INDEX(OFFCPU, duration)] = duration * UNIT, [FIELD_INDEX(OFFCPU, state)] = 2};
	synthetic_event(s, KIND_OFFCPU, thread, time * UNIT, site(s, ONE, 0x10), fields);
}

/* The worker is off the CPU from 150 to 700: 50 of it in work, 50 at a barrier, 100 in work again, 200 at the end of the region,
   and idle for 150. */
START_TEST(metrics_of_states)
{
	struct synthetic *s = begin("metrics.er");
	event(s, 1, 100, (struct omp_event){.what = BEGIN, .region = 1});
	event(s, 1, 110, (struct omp_event){.what = WORKS, .region = 1});
	event(s, 2, 100, (struct omp_event){.what = WORKS, .region = 1});
	wait_at(s, 2, 250, 1, STATE_VALUE(OPENMP, construct, explicit_barrier), 50);
	event(s, 2, 350, (struct omp_event){.what = RESTS, .region = 1});
	event(s, 1, 540, (struct omp_event){.what = RESTS, .region = 1});
	event(s, 1, 550, (struct omp_event){.what = END, .region = 1});
	off_cpu(s, 2, 700, 550);
	clock_tick(s, 1, 90, 9);
	clock_tick(s, 1, 105, 4);
	clock_tick(s, 1, 300, 100);
	clock_tick(s, 1, 545, 3);
	clock_tick(s, 3, 300, 1000);
	synthetic_end(s);
	read_times("metrics.er");
	ck_assert_uint_eq(sum_of("ompserl"), 9);
	ck_assert_uint_eq(sum_of("ompovhd"), 4);
	ck_assert_uint_eq(sum_of("ompwork"), 9 + 4 + 100 + 1000 + 150);
	ck_assert_uint_eq(sum_of("ompwait"), 3 + 50 + 200 + 150);
	ck_assert_uint_eq(sum_of("ompibar"), 3 + 200);
	ck_assert_uint_eq(sum_of("ompebar"), 50);
	ck_assert_uint_eq(sum_of("ompidle"), 150);
	ck_assert_uint_eq(sum_of("ompctwt"), 0);
	forget();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("omp_times");
	TCase *all = tcase_create("omp_times");
	tcase_add_checked_fixture(all, enter_scratch, leave_scratch);
	tcase_add_test(all, regions_of_members_and_workers);
	tcase_add_test(all, tasks_and_waits_inside_of_each_other);
	tcase_add_test(all, regions_inside_of_tasks);
	tcase_add_test(all, waits_that_are_sums_and_too_long);
	tcase_add_test(all, metrics_of_states);
	suite_add_tcase(suite, all);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
