// SPDX-License-Identifier: Apache-2.0
// Events of many threads, some of which end and leave the rest of their blocks to others: visited thread by thread, and in the
// order of all times.
#include "data.h"
#include "synthetic.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 12, EVENTS = 60000, TURN = 97 };

static char scratch[] = "/tmp/threads-test.XXXXXX";

static void enter_scratch(void)
{
	ck_assert_ptr_nonnull(mkdtemp(scratch));
	ck_assert_int_eq(chdir(scratch), 0);
}

static void leave_scratch(void)
{
	static const char remove[] = "rm -rf ";
	char command[sizeof remove + sizeof scratch];
	ck_assert_int_eq(chdir("/"), 0);
	strcat(strcpy(command, remove), scratch);
	ck_assert_int_eq(system(command), 0);
}

/* Threads come and go: in each stretch of EVENTS / THREADS events two threads take turns, one of which ends with it, and a third
   has an event now and then. The time of each event is its number. */
static void write_events(void)
{
	struct synthetic *s = synthetic_begin("threads.er");
	uint32_t stack = synthetic_stack(s, (uint64_t[]){0x1000}, 1, 0);
	for (uint32_t i = 0; i < EVENTS; i++) {
		uint32_t part = i / (EVENTS / THREADS);
		uint32_t thread =
			1 + (i % TURN == 0 ? (part + THREADS / 2) % THREADS : (part + i / TURN % 2) % THREADS);
		synthetic_clock(s, thread, i, stack, thread, 0);
		if (i % (EVENTS / THREADS) == EVENTS / THREADS - 1)
			synthetic_thread_end(s, 1 + part);
	}
	synthetic_end(s);
}

static bool seen[EVENTS];
static uint64_t last[THREADS + 1], last_of_all;
static uint32_t visited, batches;

static void see(const struct data_batch *batch, uint32_t event)
{
	uint64_t time = batch->time[event];
	uint32_t thread = batch->thread[event];
	ck_assert_uint_lt(time, EVENTS);
	ck_assert(!seen[time]);
	seen[time] = true;
	ck_assert_uint_eq(batch->field[FIELD_INDEX(CLOCK, user)][event], thread);
	ck_assert_uint_ge(time, last[thread]);
	last[thread] = time;
	visited++;
}

static void see_thread(void *context, const struct data_batch *batch)
{
	(void)context;
	for (uint32_t i = 0; i < batch->count; i++) {
		ck_assert_uint_eq(batch->thread[i], batch->thread[0]);
		see(batch, i);
	}
	batches++;
}

static void see_all(void *context, const struct data_batch *batch)
{
	(void)context;
	for (uint32_t i = 0; i < batch->count; i++) {
		ck_assert_uint_ge(batch->time[i], last_of_all);
		last_of_all = batch->time[i];
		see(batch, i);
	}
}

START_TEST(each_thread_in_time)
{
	struct error error;
	write_events();
	struct data *data = data_create();
	ck_assert_msg(data_load(data, "threads.er", &error), "%s", error.text);
	data_visit_threads_in_time(data, KIND_CLOCK, see_thread, 0);
	ck_assert_uint_eq(visited, EVENTS);
	ck_assert_uint_lt(batches, EVENTS / 100); /* and not an event at a time */
	memset(seen, 0, sizeof seen);
	memset(last, 0, sizeof last);
	data_visit_in_time(data, KIND_CLOCK, see_all, 0);
	ck_assert_uint_eq(visited, 2 * EVENTS);
	data_destroy(data);
}
END_TEST

/* Clock and I/O events, each of two threads: at times that are multiples of 3, and of 2. */
static void write_two_kinds(const char *name)
{
	struct synthetic *s = synthetic_begin(name);
	uint32_t stack = synthetic_stack(s, (uint64_t[]){0x1000}, 1, 0);
	for (uint32_t i = 0; i < EVENTS / 10; i++) {
		uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(IO, bytes)] = i};
		if (i % 3 == 0)
			synthetic_clock(s, 1 + i % 2, i, stack, 1, 0);
		if (i % 2 == 0)
			synthetic_event(s, KIND_IO, 1 + i / 2 % 2, i, stack, fields);
	}
	synthetic_end(s);
}

static const enum kind io_first[] = {KIND_IO, KIND_CLOCK}, clock_first[] = {KIND_CLOCK, KIND_IO};
struct order {
	const struct data *data;
	const enum kind *kinds;
	uint64_t next; /* twice the time; odd: the second kind's */
	uint32_t count;
};

/* The time and kind of the next event, by arithmetic. */
static bool has_event(const struct order *order)
{
	bool io = order->kinds[order->next % 2] == KIND_IO;
	return order->next / 2 % (io ? 2 : 3) == 0;
}

static void see_kinds(void *context, const struct data_batch *batch)
{
	struct order *order = context;
	ck_assert_ptr_eq(batch->experiment, &order->data->experiments[1]);
	for (uint32_t i = 0; i < batch->count; i++) {
		while (!has_event(order))
			order->next++;
		ck_assert_uint_eq(batch->time[i], order->next / 2);
		ck_assert_int_eq(batch->source->kind, order->kinds[order->next % 2]);
		ck_assert_uint_le(batch->now, batch->time[i]);
		order->next++;
		order->count++;
	}
}

START_TEST(kinds_in_time)
{
	struct error error;
	write_two_kinds("other.er");
	write_two_kinds("kinds.er");
	struct data *data = data_create();
	ck_assert_msg(data_load(data, "other.er", &error), "%s", error.text);
	ck_assert_msg(data_load(data, "kinds.er", &error), "%s", error.text);
	struct order order = {.data = data, .kinds = io_first};
	data_visit_kinds_in_time(data, 1, io_first, 2, see_kinds, &order);
	ck_assert_uint_eq(order.count, EVENTS / 10 / 2 + EVENTS / 10 / 3);
	order = (struct order){.data = data, .kinds = clock_first};
	data_visit_kinds_in_time(data, 1, clock_first, 2, see_kinds, &order);
	ck_assert_uint_eq(order.count, EVENTS / 10 / 2 + EVENTS / 10 / 3);
	data_destroy(data);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("threads_in_time");
	TCase *tests = tcase_create("threads_in_time");
	tcase_add_checked_fixture(tests, enter_scratch, leave_scratch);
	tcase_add_test(tests, each_thread_in_time);
	tcase_add_test(tests, kinds_in_time);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
