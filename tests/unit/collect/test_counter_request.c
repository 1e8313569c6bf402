// SPDX-License-Identifier: Apache-2.0
// The grammar of -h, and the intervals that rates mean.
#include "counter_request.h"
#include "counters.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct counter_requests requests;
static struct error error;

static bool add(const char *value)
{
	error.text[0] = '\0';
	return counter_requests_add(&requests, value, &error);
}

static void begin(void)
{
	memset(&requests, 0, sizeof requests);
}

START_TEST(pairs_of_names_and_rates)
{
	begin();
	ck_assert(add("cycles,,insts,hi,+l2m~umask=0x1f~system=1/2,100003"));
	ck_assert(add("page-faults,1 cpu/event=0x3c,umask=0x1/,lo -dcm"));
	ck_assert_uint_eq(requests.count, 6);
	ck_assert_str_eq(requests.items[0].name, "cycles");
	ck_assert_int_eq(requests.items[0].rate, RATE_AUTO);
	ck_assert_int_eq(requests.items[1].rate, RATE_HIGH);
	const struct counter_request *l2m = &requests.items[2];
	ck_assert_str_eq(l2m->name, "l2m");
	ck_assert(l2m->memory && l2m->has_register && !l2m->no_memory);
	ck_assert_uint_eq(counter_request_attribute(l2m, "umask", 7), 0x1f);
	ck_assert_uint_eq(counter_request_attribute(l2m, "system", 0), 1);
	ck_assert_uint_eq(counter_request_attribute(l2m, "user", 1), 1);
	ck_assert_int_eq(l2m->rate, RATE_INTERVAL);
	ck_assert_uint_eq(l2m->interval, 100003);
	ck_assert_uint_eq(requests.items[3].interval, 1);
	ck_assert_str_eq(requests.items[4].name, "cpu/event=0x3c,umask=0x1/");
	ck_assert_int_eq(requests.items[4].rate, RATE_LOW);
	ck_assert(requests.items[5].no_memory);
	ck_assert_str_eq(requests.items[5].name, "dcm");
}
END_TEST

START_TEST(words_that_stand_alone)
{
	begin();
	ck_assert(add("hi"));
	ck_assert(requests.standard && requests.standard_decides);
	ck_assert(add("insts,0x10"));
	ck_assert_uint_eq(requests.items[0].interval, 16);
	ck_assert(!add("off"));
	ck_assert_str_eq(error.text, "-h off cannot be used with any other -h arguments");
	begin();
	ck_assert(add("off") && requests.off);
	ck_assert(!add("insts"));
	ck_assert(!add("on"));
	begin();
	ck_assert(add("on") && !requests.standard_decides);
}
END_TEST

START_TEST(counters_that_are_read)
{
	begin();
	ck_assert(add("=cycles,=page-faults~user=1,insts,hi,=cpu/event=0x3c,umask=0x1/,,=l2m,"));
	ck_assert_uint_eq(requests.count, 5);
	static const char *const names[] = {"cycles", "page-faults", "insts", "cpu/event=0x3c,umask=0x1/", "l2m"};
	for (unsigned i = 0; i < 5; i++) {
		ck_assert_str_eq(requests.items[i].name, names[i]);
		ck_assert_int_eq(requests.items[i].read, i != 2);
	}
	ck_assert_uint_eq(counter_request_attribute(&requests.items[1], "user", 0), 1);
	ck_assert_int_eq(requests.items[2].rate, RATE_HIGH);
	ck_assert(!requests.standard_read);
	ck_assert(add("=on,=dcm"));
	ck_assert(requests.standard_read && !requests.standard);
	ck_assert_uint_eq(requests.count, 6);
	ck_assert_str_eq(requests.items[5].name, "dcm");
	ck_assert(!add("=cycles,hi"));
	ck_assert_str_eq(error.text, "HW counter `=cycles' is read at clock ticks: leave out its interval, hi");
	ck_assert(!add("=cycles,100003"));
	ck_assert_str_eq(error.text, "HW counter `=cycles' is read at clock ticks: leave out its interval, 100003");
	ck_assert(!add("="));
}
END_TEST

static const char *const wrong[] = {"", "cycles,0", "cycles,2147483648", "cycles,insts", "cycles,-1", "~umask=1",
	"cycles~umask", "cycles~umask=x", "cycles,1e6", "cycles,,"};

START_TEST(refused)
{
	begin();
	bool taken = add(wrong[_i]);
	ck_assert_msg(_i == 9 || (!taken && error.text[0]), "%s", wrong[_i]);
}
END_TEST

START_TEST(more_than_there_is_room_for)
{
	begin();
	for (unsigned i = 0; i < OVERFLOW_COUNTERS_MAX; i++)
		ck_assert(add("insts"));
	ck_assert(!add("insts"));
	ck_assert(strstr(error.text, "More than 16 counters"));
}
END_TEST

/* on = v, hi = v/10 + 1, lo = 10 v down to hundreds, + 1; auto follows the clock: v x N / 10. */
START_TEST(intervals_of_rates)
{
	enum { MS = 1000000 };
	static const struct {
		enum counter_rate rate;
		uint64_t on, clock, interval, ceiling;
	} cases[] = {
		{RATE_ON, 32010001, 0, 32010001, 10 * MS},
		{RATE_HIGH, 32010001, 0, 3201001, 1 * MS},
		{RATE_LOW, 1001001, 0, 10010001, 100 * MS},
		{RATE_AUTO, 1001001, 10007000, 1001001, 10 * MS},
		{RATE_AUTO, 1001001, 0, 1001001, 10 * MS},
		{RATE_AUTO, 1001001, 5 * MS, 500501, 5 * MS},
		{RATE_AUTO, 1001001, 997000, 100101, 997000},
		{RATE_AUTO, 1, 997000, 1, 997000},
		{RATE_LOW, 1, 0, 1, 100 * MS},
		{RATE_LOW, 300000000, 0, 2147483647, 100 * MS},
	};
	uint64_t ceiling;
	ck_assert_uint_eq(
		counter_interval(cases[_i].rate, cases[_i].on, 0, cases[_i].clock, &ceiling), cases[_i].interval);
	ck_assert_uint_eq(ceiling, cases[_i].ceiling);
	ck_assert_uint_eq(counter_interval(RATE_INTERVAL, cases[_i].on, 7, cases[_i].clock, &ceiling), 7);
	ck_assert_uint_eq(ceiling, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("counter request");
	TCase *tests = tcase_create("all");
	tcase_add_test(tests, pairs_of_names_and_rates);
	tcase_add_test(tests, words_that_stand_alone);
	tcase_add_test(tests, counters_that_are_read);
	tcase_add_loop_test(tests, refused, 0, (int)(sizeof wrong / sizeof *wrong));
	tcase_add_test(tests, more_than_there_is_room_for);
	tcase_add_loop_test(tests, intervals_of_rates, 0, 10);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
