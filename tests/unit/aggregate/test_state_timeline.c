// SPDX-License-Identifier: Apache-2.0
// Each part of the elapsed time has the states that each thread was in then. Times are in milliseconds; the expected ones are
// counted by hand beside the intervals.
#define UNIT   MILLISECOND
#define TESTED "offcpu"
enum { MILLISECOND = 1000000 };
#include "resolver.h"
#include "state_timeline.h"
#include "states_run.h"

enum { CPU = TIMELINE_ON_CPU };

/* 1 waits from 30 to 50 and has no CPU until 55; the clock knows 2 alone: it computes from 20 to 30 and from 70 to 80. */
static void write_two(void)
{
	struct synthetic *s = synthetic_begin("two.er");
	life(s, 1, PERF, 0, 100);
	tick(s, 1, 30, 30);
	off(s, 1, 30, 50, LOCK);
	off(s, 1, 50, 55, RUNNABLE);
	tick(s, 1, 100, 45);
	life(s, 2, TIMER, 20, 90);
	tick(s, 2, 30, 10);
	off(s, 2, 60, 60, WAKING); /* is no interval */
	off(s, 2, 40, 60, FILES);
	tick(s, 2, 80, 10);
	synthetic_end(s);
}

static struct data *data;
static struct state_timeline timeline;

static void read_timeline(const char *filter_text, uint32_t columns)
{
	struct error error;
	write_two();
	data = data_create();
	ck_assert_msg(data_load(data, "two.er", &error), "%s", error.text);
	struct resolver *resolver = resolver_create(data);
	struct expression_setting setting = {.data = data, .resolver = resolver};
	struct expression *expression = filter_text ? expression_parse(filter_text, 0, 0, &error) : 0;
	if (expression)
		expression_prepare(expression, &setting);
	state_timeline_read(&timeline, data, &(struct event_filter){.expression = expression}, columns);
	expression_free(expression);
	resolver_destroy(resolver);
}

static void end_timeline(void)
{
	state_timeline_free(&timeline);
	data_destroy(data);
}

/* Milliseconds of a state in a column. */
static double in(uint32_t thread, uint32_t column, unsigned state)
{
	return (double)timeline.threads[thread].time[column][state] / UNIT;
}

/* The sum of all. */
static double all_in(uint32_t thread, uint32_t column)
{
	double sum = 0;
	for (unsigned state = 0; state < TIMELINE_STATES; state++)
		sum += in(thread, column, state);
	return sum;
}

START_TEST(columns_have_their_states)
{
	read_timeline(0, 4); /* of 25 */
	ck_assert_uint_eq(timeline.begin, 0);
	ck_assert_uint_eq(timeline.end, 100 * UNIT);
	ck_assert_uint_eq(timeline.count, 2);
	ck_assert_double_eq(in(0, 0, CPU), 25);
	ck_assert_double_eq(in(0, 1, CPU), 5);
	ck_assert_double_eq(in(0, 1, LOCK), 20);
	ck_assert_double_eq(in(0, 2, RUNNABLE), 5);
	ck_assert_double_eq(in(0, 2, CPU), 20);
	ck_assert_double_eq(in(0, 3, CPU), 25);
	ck_assert_double_eq(in(1, 0, CPU), 5);
	ck_assert_double_eq(in(1, 1, CPU), 5);
	ck_assert_double_eq(in(1, 1, FILES), 10);
	ck_assert_double_eq(in(1, 2, FILES), 10);
	ck_assert_double_eq(in(1, 2, CPU), 5);
	ck_assert_double_eq(in(1, 3, CPU), 5);
	for (uint32_t column = 0; column < 4; column++)
		ck_assert_double_eq(all_in(0, column), 25);
	ck_assert_double_eq(all_in(1, 0) + all_in(1, 1) + all_in(1, 2) + all_in(1, 3), 40);
	end_timeline();
}
END_TEST

START_TEST(filters_choose_the_range)
{
	read_timeline("ULCK > 0 || EVT_TIME == 5000000", 5); /* 30 to 55 */
	ck_assert_uint_eq(timeline.begin, 30 * UNIT);
	ck_assert_uint_eq(timeline.end, 55 * UNIT);
	ck_assert_uint_eq(timeline.count, 1);
	for (uint32_t column = 0; column < 4; column++)
		ck_assert_double_eq(in(0, column, LOCK), 5);
	ck_assert_double_eq(in(0, 4, RUNNABLE), 5);
	end_timeline();
}
END_TEST

/* The second clock event of thread 1 stands for what it ran since the first. */
START_TEST(clock_events_stand_for_what_ran)
{
	read_timeline("THRID == 1 && UCPU == 45000000", 1);
	ck_assert_uint_eq(timeline.begin, 55 * UNIT);
	ck_assert_uint_eq(timeline.end, 100 * UNIT);
	ck_assert_double_eq(in(0, 0, CPU), 45);
	end_timeline();
}
END_TEST

START_TEST(nothing_is_no_thread)
{
	read_timeline("TSLP > 0", 3);
	ck_assert_uint_eq(timeline.count, 0);
	end_timeline();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("state_timeline");
	TCase *test = tcase_create("all");
	tcase_add_checked_fixture(test, enter_scratch, leave_scratch);
	tcase_add_test(test, columns_have_their_states);
	tcase_add_test(test, filters_choose_the_range);
	tcase_add_test(test, clock_events_stand_for_what_ran);
	tcase_add_test(test, nothing_is_no_thread);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
