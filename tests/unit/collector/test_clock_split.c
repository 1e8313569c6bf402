// SPDX-License-Identifier: Apache-2.0
// The weight of ticks: expected values by hand; and, over random histories, the sum is exactly the CPU time.
#include "split.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000ull

static struct thread_clock begin(uint64_t cpu, uint64_t user)
{
	struct thread_clock clock;
	struct cpu_time from = {cpu, user, cpu - user, true, 0};
	memset(&clock, 0, sizeof(clock));
	split_begin(&clock, &from);
	return clock;
}

START_TEST(unknown_mode_gives_both_to_the_tick)
{
	struct thread_clock clock = begin(0, 0);
	struct cpu_time now = {10 * MS, 7 * MS, 3 * MS, true, 0};
	struct tick_weight weight = split_tick(&clock, &now, TICK_UNKNOWN, 5);
	ck_assert_uint_eq(weight.user, 7 * MS);
	ck_assert_uint_eq(weight.system, 3 * MS);
	now = (struct cpu_time){12 * MS, 7 * MS, 5 * MS, true, 0};
	weight = split_tick(&clock, &now, TICK_UNKNOWN, 6);
	ck_assert_uint_eq(weight.user, 0);
	ck_assert_uint_eq(weight.system, 2 * MS);
	struct split_rest rest = split_rest(&clock);
	ck_assert_uint_eq(rest.weight.user + rest.weight.system, 0);
	ck_assert_uint_eq(rest.user_stack, 6);
	ck_assert_uint_eq(rest.system_stack, 6);
}
END_TEST

START_TEST(each_mode_waits_for_its_tick)
{
	struct thread_clock clock = begin(100 * MS, 100 * MS);
	struct cpu_time now = {110 * MS, 106 * MS, 4 * MS, true, 0};
	struct tick_weight weight = split_tick(&clock, &now, TICK_USER, 1);
	ck_assert_uint_eq(weight.user, 6 * MS);
	ck_assert_uint_eq(weight.system, 0);
	now = (struct cpu_time){120 * MS, 112 * MS, 8 * MS, true, 0};
	weight = split_tick(&clock, &now, TICK_KERNEL, 2);
	ck_assert_uint_eq(weight.user, 0);
	ck_assert_uint_eq(weight.system, 8 * MS);
	now = (struct cpu_time){121 * MS, 113 * MS, 8 * MS, true, 0};
	split_pass(&clock, &now);
	now = (struct cpu_time){.cpu = 123 * MS};
	split_overhead(&clock, &now);
	struct split_rest rest = split_rest(&clock);
	ck_assert_uint_eq(rest.weight.user, 7 * MS);
	ck_assert_uint_eq(rest.weight.system, 2 * MS);
	ck_assert_uint_eq(rest.user_stack, 1);
	ck_assert_uint_eq(rest.system_stack, 2);
}
END_TEST

START_TEST(without_accounting_the_tick_s_own_mode_counts)
{
	struct thread_clock clock = begin(0, 0);
	struct cpu_time now = {.cpu = 3 * MS};
	ck_assert_uint_eq(split_tick(&clock, &now, TICK_USER, 1).user, 3 * MS);
	now.cpu = 4 * MS;
	ck_assert_uint_eq(split_tick(&clock, &now, TICK_KERNEL, 1).system, 1 * MS);
	/* The accounting then says that it all was system time: what passes from now on is, until that is so. */
	now = (struct cpu_time){6 * MS, 0, 6 * MS, true, 0};
	struct tick_weight weight = split_tick(&clock, &now, TICK_KERNEL, 1);
	ck_assert_uint_eq(weight.system, 2 * MS);
	ck_assert_uint_eq(weight.user, 0);
	ck_assert(split_wants_account(&clock, 50 * MS, TICK_USER));
}
END_TEST

START_TEST(what_waits_does_not_grow_without_end)
{
	struct thread_clock clock = begin(0, 0);
	/* A kernel tick every 10 ms, of which the accounting says that 6 were user time. */
	struct cpu_time now = {10 * MS, 6 * MS, 4 * MS, true, 0};
	ck_assert_uint_eq(split_tick(&clock, &now, TICK_KERNEL, 3).system, 4 * MS);
	ck_assert(!split_waits_long(&clock, 10 * MS));
	now = (struct cpu_time){20 * MS, 12 * MS, 8 * MS, true, 0};
	ck_assert_uint_eq(split_tick(&clock, &now, TICK_KERNEL, 4).system, 4 * MS);
	ck_assert(split_waits_long(&clock, 10 * MS));
	ck_assert(split_waits_long(&clock, 1 * MS));
	ck_assert(!split_waits_long(&clock, 100 * MS));
	struct split_rest rest = split_rest(&clock);
	ck_assert_uint_eq(rest.weight.user, 12 * MS);
	ck_assert_uint_eq(rest.user_stack, 4);
	ck_assert(!split_waits_long(&clock, 1 * MS));
}
END_TEST

START_TEST(accounting_is_read_when_it_has_something_to_say)
{
	struct thread_clock clock = begin(0, 0);
	ck_assert(split_wants_account(&clock, 1 * MS, TICK_UNKNOWN));
	ck_assert(!split_wants_account(&clock, 1 * MS, TICK_USER));
	ck_assert(!split_wants_account(&clock, 39 * MS, TICK_KERNEL));
	ck_assert(split_wants_account(&clock, 40 * MS, TICK_KERNEL));
	struct cpu_time now = {50 * MS, 50 * MS, 0, true, 0};
	split_tick(&clock, &now, TICK_USER, 1);
	ck_assert(!split_wants_account(&clock, 57 * MS, TICK_USER));
	ck_assert(split_wants_account(&clock, 58 * MS, TICK_USER));
}
END_TEST

START_TEST(handling_a_tick_is_system_time_where_it_hit)
{
	struct thread_clock clock = begin(0, 0);
	struct cpu_time now = {.cpu = 1 * MS};
	split_tick(&clock, &now, TICK_USER, 1);
	split_handled(&clock, 1 * MS + 20000);
	/* The next two ms have 0.1 of system time: 0.02 for the handling, and the other 0.08 wait for a tick in the kernel. */
	now = (struct cpu_time){3 * MS, 2 * MS + 900000, 100000, true, 0};
	struct tick_weight weight = split_tick(&clock, &now, TICK_USER, 1);
	ck_assert_uint_eq(weight.user, 1 * MS + 900000);
	ck_assert_uint_eq(weight.system, 20000);
	/* A tick in the kernel leaves to the next one in user mode what is that one's. */
	split_handled(&clock, 3 * MS + 30000);
	now = (struct cpu_time){4 * MS, 3 * MS + 700000, 300000, true, 0};
	weight = split_tick(&clock, &now, TICK_KERNEL, 2);
	ck_assert_uint_eq(weight.user, 0);
	ck_assert_uint_eq(weight.system, 80000 + 200000 - 30000);
	now.cpu = 5 * MS;
	now.accounted = false;
	weight = split_tick(&clock, &now, TICK_USER, 1);
	ck_assert_uint_eq(weight.user, 800000 + 1 * MS);
	ck_assert_uint_eq(weight.system, 30000);
	/* It does not grow without end where no accounting shows it. */
	for (int i = 0; i < 100; i++)
		split_handled(&clock, 5 * MS + 20000);
	now = (struct cpu_time){25 * MS, 9 * MS, 16 * MS, true, 0};
	weight = split_tick(&clock, &now, TICK_KERNEL, 2);
	ck_assert_uint_eq(weight.system, 15 * MS + 700000 - 1 * MS);
}
END_TEST

START_TEST(no_tick_no_stack)
{
	struct thread_clock clock = begin(0, 0);
	struct cpu_time now = {5 * MS, 5 * MS, 0, true, 0};
	split_pass(&clock, &now);
	struct split_rest rest = split_rest(&clock);
	ck_assert_uint_eq(rest.weight.user, 5 * MS);
	ck_assert_uint_eq(rest.user_stack, 0);
	ck_assert_uint_eq(rest.system_stack, 0);
}
END_TEST

/* The kernel's accounting lags, is rounded to microseconds, and its split jumps: whatever it says, no nanosecond is lost or
   counted twice. */
START_TEST(sum_is_the_cpu_time)
{
	srand((unsigned)_i + 1);
	uint64_t base = (uint64_t)(rand() % 1000) * MS, cpu = base, sum = 0, user = base / 2;
	struct thread_clock clock = begin(base, user);
	for (int i = 0; i < 2000; i++) {
		cpu += (uint64_t)rand() % (20 * MS);
		user += (uint64_t)rand() % (cpu - user + 1);
		struct cpu_time now = {cpu, user / 1000 * 1000, (cpu - user) / 1000 * 1000, rand() % 3 != 0, 0};
		if (!now.accounted)
			now.user = now.system = 0;
		enum tick_mode mode = (enum tick_mode)(rand() % 3);
		struct tick_weight weight = split_tick(&clock, &now, mode, (uint32_t)rand() % 4);
		ck_assert(mode != TICK_USER || weight.system == 0);
		ck_assert(mode != TICK_KERNEL || weight.user == 0);
		sum += weight.user + weight.system;
	}
	struct split_rest rest = split_rest(&clock);
	ck_assert_uint_eq(sum + rest.weight.user + rest.weight.system, cpu - base);
	ck_assert_uint_eq(clock.last_user + clock.last_system, cpu);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("clock split");
	TCase *cases = tcase_create("split");
	tcase_add_test(cases, unknown_mode_gives_both_to_the_tick);
	tcase_add_test(cases, each_mode_waits_for_its_tick);
	tcase_add_test(cases, without_accounting_the_tick_s_own_mode_counts);
	tcase_add_test(cases, what_waits_does_not_grow_without_end);
	tcase_add_test(cases, accounting_is_read_when_it_has_something_to_say);
	tcase_add_test(cases, handling_a_tick_is_system_time_where_it_hit);
	tcase_add_test(cases, no_tick_no_stack);
	tcase_add_loop_test(cases, sum_is_the_cpu_time, 0, 20);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
