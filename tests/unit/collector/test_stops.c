// SPDX-License-Identifier: Apache-2.0
// The stops that collect has seen are found one after the other by each thread; those that were overwritten are counted.
#include "collector.h"
#include "stops.h"
#include "waiters.h"
#include <check.h>

enum { SELF = 77, OTHER = 78 };
static struct shared_waits waits;
static struct thread_switches switches;
static uint64_t tallies[TALLY_COUNT];

static void begin(void)
{
	waits = (struct shared_waits){0};
	switches = (struct thread_switches){0};
	tallies[TALLY_stops_left_out] = 0;
	collector.tallies = tallies;
	collector.process = SELF;
	shared_waits = &waits;
}

static void add(uint64_t process, uint64_t from, uint64_t to)
{
	waits.stops[waits.stop_count++ % STOPS] = (struct process_stop){process, 0, from, to};
}

START_TEST(stops_come_in_order)
{
	struct stop stop;
	begin();
	ck_assert(!stops_next(&switches, 0, 100, &stop));
	add(SELF, 10, 20);
	add(OTHER, 30, 40);
	add(SELF, 50, 60);
	ck_assert(stops_next(&switches, 0, 100, &stop));
	ck_assert_uint_eq(stop.from, 10);
	ck_assert_uint_eq(stop.to, 20);
	ck_assert(stops_next(&switches, 20, 100, &stop));
	ck_assert_uint_eq(stop.from, 50);
	ck_assert(!stops_next(&switches, 60, 100, &stop));
}
END_TEST

START_TEST(later_stops_stay)
{
	struct stop stop;
	begin();
	add(SELF, 50, 0);
	ck_assert(!stops_next(&switches, 0, 50, &stop));
	ck_assert(stops_next(&switches, 40, 51, &stop));
	ck_assert_uint_eq(stop.to, UINT64_MAX);
	waits.stops[0].to = 60;
	ck_assert(stops_next(&switches, 59, 100, &stop));
	ck_assert_uint_eq(stop.to, 60);
	ck_assert(!stops_next(&switches, 60, 100, &stop));
}
END_TEST

START_TEST(overwritten_stops_are_counted)
{
	struct stop stop;
	begin();
	for (uint64_t i = 0; i < 200; i++)
		add(SELF, 10 * i, 10 * i + 5);
	ck_assert(stops_next(&switches, 0, 10000, &stop));
	ck_assert_uint_eq(stop.from, 10 * (200 - 127));
	ck_assert_uint_eq(tallies[TALLY_stops_left_out], 200 - 127);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("stops");
	TCase *cases = tcase_create("stops");
	tcase_add_test(cases, stops_come_in_order);
	tcase_add_test(cases, later_stops_stay);
	tcase_add_test(cases, overwritten_stops_are_counted);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
