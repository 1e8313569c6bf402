// SPDX-License-Identifier: Apache-2.0
// The time of threads without a tick: divided in proportion to T - c over the stacks of short threads of the same program,
// exactly, in all and in each part; what nobody can get stays; filters come first.
#include "short_threads.h"
#include "synthetic.h"
#include <check.h>
#include <stdlib.h>

#define US 1000ull /* nanoseconds */
#define MS (1000 * US)

static struct data *data;
static uint32_t f, g; /* the global stacks of the two functions */
static unsigned total, user, system_;

static void event(
	struct synthetic *s, uint32_t thread, uint32_t stack, uint64_t user_time, uint64_t system_time, uint64_t mode)
{
	static uint64_t time;
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(CLOCK, user)] = user_time,
		[FIELD_INDEX(CLOCK, system)] = system_time,
		[FIELD_INDEX(CLOCK, mode)] = mode};
	synthetic_event(s, KIND_CLOCK, thread, time += MS, stack, fields);
}

static void start(struct synthetic *s, uint32_t thread, uint64_t unclocked)
{
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(THREAD, what)] = STATE_VALUE(THREAD, what, start),
		[FIELD_INDEX(THREAD, unclocked)] = unclocked};
	synthetic_event(s, KIND_THREAD, thread, 0, 0, fields);
}

#define MODE(name) STATE_VALUE(CLOCK, mode, name)

static struct synthetic *begin(const char *path, uint32_t *stacks)
{
	struct settings settings;
	settings_default(&settings);
	settings.clock_interval = 10 * MS;
	struct synthetic *s = synthetic_begin_with(path, &settings, 1e9,
		(struct time_triple){.realtime = SYNTHETIC_REALTIME, .monotonic = SYNTHETIC_MONOTONIC});
	synthetic_map_object(s, 0x400000, 0x10000, 0x1000, 0x401000, "/bin/app");
	stacks[0] = synthetic_stack(s, (uint64_t[]){0x400100, 0x400200}, 2, 0);
	stacks[1] = synthetic_stack(s, (uint64_t[]){0x400100, 0x400300}, 2, 0);
	return s;
}

static void load(const char *first, const char *second)
{
	struct error error;
	data = data_create();
	ck_assert(data_load(data, first, &error));
	if (second)
		ck_assert(data_load(data, second, &error));
	f = g = 0;
	for (uint32_t id = 0; id < data->experiments[0].stack_of_count; id++) {
		uint32_t stack = data->experiments[0].stack_of[id];
		if (!stack || data->stacks[stack].flags & STACK_ROOT)
			continue;
		uint64_t offset = data->addresses[data->stacks[stack].address].offset;
		f = offset == 0x401200 ? stack : f;
		g = offset == 0x401300 ? stack : g;
	}
	total = (unsigned)metric_find(metrics_builtin(), "totalcpu");
	user = (unsigned)metric_find(metrics_builtin(), "user");
	system_ = (unsigned)metric_find(metrics_builtin(), "system");
}

static uint64_t divided(const char *threads, uint64_t sums[4])
{
	struct selection selection = {0};
	struct error error;
	if (threads)
		ck_assert(selection_choose(&selection, data->experiment_count, SELECT_THREADS, threads, &error));
	const struct event_filter filter = {.selection = &selection};
	struct stack_sums *stacks = stack_sums_compute(data, metrics_builtin(), &filter, 0);
	uint64_t before = stacks->total[total], after = 0;
	uint64_t moved = short_threads_divide(data, &filter, 0, stacks);
	for (uint32_t s = 0; s < stacks->stack_count; s++) {
		after += stacks->of[total][s];
		ck_assert_uint_eq(stacks->of[total][s], stacks->of[user][s] + stacks->of[system_][s]);
	}
	ck_assert_uint_eq(before, after);
	sums[0] = stacks->of[total][f];
	sums[1] = stacks->of[total][g];
	sums[2] = stacks->of[total][0];
	sums[3] = stacks->of[total][data->experiments[0].collector_stack];
	stack_sums_free(stacks);
	selection_free(&selection);
	return moved;
}

static void expect(const char *threads, uint64_t of_f, uint64_t of_g, uint64_t none, uint64_t collector, uint64_t moved)
{
	uint64_t sums[4];
	ck_assert_uint_eq(divided(threads, sums), moved);
	ck_assert_uint_eq(sums[0], of_f);
	ck_assert_uint_eq(sums[1], of_g);
	ck_assert_uint_eq(sums[2], none);
	ck_assert_uint_eq(sums[3], collector);
}

START_TEST(shares_are_exact)
{
	uint32_t stack[2];
	struct synthetic *s = begin("a.er", stack);
	event(s, 1, stack[0], 3 * MS, 0, MODE(user)); /* c = 4, T - c = 6 */
	event(s, 1, stack[0], 0, 1 * MS, MODE(remainder));
	event(s, 2, stack[0], 2 * MS, 0, MODE(user)); /* c = 8, T - c = 2 */
	event(s, 2, stack[1], 0, 6 * MS, MODE(unknown));
	event(s, 3, 0, 1 * MS, 3 * MS, MODE(remainder));
	event(s, 4, stack[1], 12 * MS, 0, MODE(kernel)); /* not short */
	event(s, 5, 0, 15 * MS, 0, MODE(remainder));     /* neither: it has no clock */
	event(s, 6, 0, 0, 2 * MS, MODE(collector));
	event(s, 6, 0, 1 * MS, 0, MODE(remainder));
	event(s, 7, stack[0], 1 * MS, 0, MODE(remainder)); /* a stack, but of no tick */
	start(s, 1, 0);
	start(s, 7, 0);
	synthetic_end(s);
	s = begin("b.er", stack);
	event(s, 1, 0, 5 * MS, 0, MODE(remainder));
	synthetic_end(s);
	load("a.er", "b.er");
	data->experiments[0].file->process.executable = "/bin/a";
	data->experiments[1].file->process.executable = "/bin/b";
	/* 5 ms of /bin/a are divided 6 : 2, and the 1.25 ms of thread 2 again 2 : 6. */
	expect(0, 7000 * US + 3750 * US + 312500, 18000 * US + 937500, 20 * MS, 2 * MS, 5 * MS);
	/* A process or thread of its own keeps its total; a pool goes to those that are left. */
	expect("1:3", 0, 0, 4 * MS, 0, 0);
	expect("1:1", 4 * MS, 0, 0, 0, 0);
	expect("1:1,3", 8 * MS, 0, 0, 0, 4 * MS);
	expect("1:6", 0, 0, 1 * MS, 2 * MS, 0);
	expect("2:all", 0, 0, 5 * MS, 0, 0);
	expect("1:4,5,7", 1 * MS, 12 * MS, 15 * MS, 0, 0);
	/* The other threads of one program get it as well: 10 ms, 6 : 2. */
	data->experiments[1].file->process.executable = "/bin/a";
	expect(0, 7000 * US + 7500 * US + 625 * US, 18000 * US + 1875 * US, 15 * MS, 2 * MS, 10 * MS);
	/* Nothing is known to be one program with what has no name. */
	data->experiments[0].file->process.executable = data->experiments[1].file->process.executable = "";
	expect(0, 7000 * US + 3750 * US + 312500, 18000 * US + 937500, 20 * MS, 2 * MS, 5 * MS);
	data_destroy(data);
}
END_TEST

/* Ten threads of 3 ms in one function and ten of 6 ms in the other, whose first ticks come at each tenth of the interval: what
   is divided gives each function what it took. */
START_TEST(all_chances_give_the_truth)
{
	uint32_t stack[2];
	struct synthetic *s = begin("c.er", stack);
	for (uint32_t i = 0; i < 10; i++) {
		uint64_t tick = (2 * i + 1) * MS / 2;
		event(s, 2 * i + 1, tick < 3 * MS ? stack[0] : 0, 3 * MS, 0,
			tick < 3 * MS ? MODE(user) : MODE(remainder));
		event(s, 2 * i + 2, tick < 6 * MS ? stack[1] : 0, 6 * MS, 0,
			tick < 6 * MS ? MODE(user) : MODE(remainder));
	}
	synthetic_end(s);
	load("c.er", 0);
	expect(0, 30 * MS, 60 * MS, 0, 0, 45 * MS);
	data_destroy(data);
}
END_TEST

/* A thread's time before its clock was set counts for its sum and not for its chance: 3 ms with 4 more, 12 with 5. */
START_TEST(chances_begin_with_the_clock)
{
	uint32_t stack[2];
	struct synthetic *s = begin("e.er", stack);
	event(s, 1, stack[0], 3 * MS, 4 * MS, MODE(user));
	event(s, 2, stack[1], 12 * MS, 0, MODE(user));
	event(s, 3, 0, 11 * MS, 1 * MS, MODE(remainder));
	start(s, 1, 4 * MS);
	start(s, 2, 5 * MS);
	start(s, 3, 2 * MS + 1);
	synthetic_end(s);
	load("e.er", 0);
	expect(0, 7 * MS + 8400 * US, 12 * MS + 3600 * US, 0, 0, 12 * MS);
	data_destroy(data);
}
END_TEST

/* Where starts are events of their own, they are neither in a thread's chance nor in what is divided: as above without the 4, 5 and
   2 ms. */
START_TEST(starts_are_apart)
{
	uint32_t stack[2];
	struct synthetic *s = begin("f.er", stack);
	event(s, 1, 0, 0, 4 * MS, MODE(start));
	event(s, 1, stack[0], 3 * MS, 0, MODE(user));
	event(s, 2, 0, 1 * MS, 4 * MS, MODE(start));
	event(s, 2, stack[1], 7 * MS, 0, MODE(user));
	event(s, 3, 0, 0, 2 * MS, MODE(start));
	event(s, 3, 0, 9 * MS, 1 * MS - 1, MODE(remainder));
	event(s, 4, 0, 0, 11 * MS, MODE(start));
	start(s, 1, 4 * MS);
	start(s, 2, 5 * MS);
	start(s, 3, 2 * MS);
	start(s, 4, 11 * MS);
	synthetic_end(s);
	load("f.er", 0);
	expect(0, 3 * MS + 7 * MS - 1, 7 * MS + 3 * MS, 0, 0, 10 * MS - 1);
	data_destroy(data);
}
END_TEST

/* Shares that do not come out even lose nothing. */
START_TEST(rounding_loses_nothing)
{
	uint32_t stack[2];
	struct synthetic *s = begin("d.er", stack);
	for (uint32_t thread = 1; thread <= 7; thread++)
		for (uint32_t part = 0; part < 3; part++)
			event(s, thread, stack[part % 2], 100003 + thread * 7 + part, 1, MODE(user));
	event(s, 8, 0, 1000003, 7, MODE(remainder));
	synthetic_end(s);
	load("d.er", 0);
	uint64_t sums[4];
	ck_assert_uint_eq(divided(0, sums), 1000010);
	ck_assert_uint_eq(sums[2], 0);
	data_destroy(data);
}
END_TEST

/* Threads that were killed before a clock event, so many that room for them is made more than once while their starts are read.
   short-threads runs this under valgrind. */
START_TEST(threads_without_clock_events)
{
	uint32_t stack[2];
	struct synthetic *s = begin("h.er", stack);
	event(s, 1, stack[0], 3 * MS, 0, MODE(user));
	event(s, 2, 0, 1 * MS, 0, MODE(remainder));
	for (uint32_t thread = 1; thread <= 100; thread++)
		start(s, thread, 1 * MS);
	synthetic_end(s);
	load("h.er", 0);
	expect(0, 4 * MS, 0, 0, 0, 1 * MS);
	data_destroy(data);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("short_threads");
	TCase *test = tcase_create("all");
	tcase_add_test(test, shares_are_exact);
	tcase_add_test(test, all_chances_give_the_truth);
	tcase_add_test(test, chances_begin_with_the_clock);
	tcase_add_test(test, starts_are_apart);
	tcase_add_test(test, rounding_loses_nothing);
	tcase_add_test(test, threads_without_clock_events);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
