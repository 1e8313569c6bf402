// SPDX-License-Identifier: Apache-2.0
// Intervals between the clock ticks of a thread are cut where it was off the CPU; what was counted is divided by the time that it
// ran. Times are in milliseconds; stacks are one address each, written as 'A' and so on, '-' where there is none.
#define UNIT   MILLISECOND
#define TESTED "offcpu"
enum { MILLISECOND = 1000000 };
#include "sample_intervals.h"
#include "states_run.h"

enum { OBJECT = 0x400000 };

static uint32_t stack_at(struct synthetic *s, char place)
{
	return synthetic_stack(s, (uint64_t[]){OBJECT + (uint64_t)place}, 1, 0);
}

static void tick_at(struct synthetic *s, uint32_t thread, uint64_t time, char place, uint64_t user, uint64_t system)
{
	const uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(CLOCK, user)] = user * UNIT,
		[FIELD_INDEX(CLOCK, system)] = system * UNIT,
		[FIELD_INDEX(CLOCK, mode)] = user && system ? STATE_VALUE(CLOCK, mode, unknown)
					     : user         ? STATE_VALUE(CLOCK, mode, user)
							    : STATE_VALUE(CLOCK, mode, kernel)};
	synthetic_event(s, KIND_CLOCK, thread, time * UNIT, stack_at(s, place), fields);
}

/* The rest that was left when the thread ended is no tick. */
static void rest_at(struct synthetic *s, uint32_t thread, uint64_t time, uint64_t user)
{
	const uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(CLOCK, user)] = user * UNIT,
		[FIELD_INDEX(CLOCK, mode)] = STATE_VALUE(CLOCK, mode, remainder)};
	synthetic_event(s, KIND_CLOCK, thread, time * UNIT, 0, fields);
}

static void off_at(struct synthetic *s, uint32_t thread, uint64_t from, uint64_t to, uint64_t state, char place)
{
	const uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(OFFCPU, duration)] = (to - from) * UNIT,
		[FIELD_INDEX(OFFCPU, state)] = state,
		[FIELD_INDEX(OFFCPU, place)] =
			place == '-' ? STATE_VALUE(OFFCPU, place, none) : STATE_VALUE(OFFCPU, place, call)};
	synthetic_event(s, KIND_OFFCPU, thread, to * UNIT, place == '-' ? 0 : stack_at(s, place), fields);
}

static void write_threads(void)
{
	struct synthetic *s = synthetic_begin("threads.er");
	synthetic_map_object(s, OBJECT, 0x1000, 0, OBJECT, "/no/such/object");
	life(s, 1, PERF, 0, 80);
	off_at(s, 1, 2, 5, FILES, 'V');
	tick_at(s, 1, 10, 'A', 7, 0); /* of which the first 2 are before all samples */
	off_at(s, 1, 12, 20, LOCK, 'W');
	tick_at(s, 1, 22, 'B', 3, 1);
	off_at(s, 1, 23, 25, RUNNABLE, '-');
	tick_at(s, 1, 30, 'C', 3, 0); /* the next one came with it, and has the time of both */
	tick_at(s, 1, 40, 'D', 8, 0); /* in the midst of a wait: clocks differ a little */
	off_at(s, 1, 35, 45, LOCK, 'W');
	off_at(s, 1, 46, 46, WAKING, '-');
	tick_at(s, 1, 50, 'E', 0, 5);
	off_at(s, 1, 55, 70, FILES, 'V');
	off_at(s, 1, 75, 76, LOCK, '-');
	rest_at(s, 1, 80, 14);
	life(s, 2, PERF, 0, 10); /* has no tick */
	off_at(s, 2, 1, 4, LOCK, 'W');
	off_at(s, 2, 6, 9, CHILD, 'V');
	life(s, 3, TIMER, 0, 30); /* its switches are not recorded */
	tick_at(s, 3, 10, 'A', 5, 0);
	tick_at(s, 3, 20, 'B', 4, 2);
	life(s, 4, TIMER, 0, 23);
	tick_at(s, 4, 10, 'A', 5, 0);
	off_at(s, 4, 15, 16, RUNNABLE, '-');
	off_at(s, 4, 12, 18, UNEXPLAINED, '-'); /* ends where something else explains more */
	off_at(s, 4, 18, 19, RUNNABLE, '-');    /* is in the wait that begins before it */
	off_at(s, 4, 17, 19, LOCK, 'W');
	off_at(s, 4, 18, 20, RUNNABLE, '-'); /* begins where the wait has ended */
	tick_at(s, 4, 23, 'B', 6, 0);
	synthetic_end(s);
}

enum { NONE = -1 }; /* a count that is not known */
struct expected_interval {
	unsigned thread, from, to;
	char from_place, to_place, off_place; /* off_place 0: it ran */
	unsigned state;
	int user, system, offcpu;
	bool goes_on, aside;
};
static const struct expected_interval rows[] = {
	{1, 2, 5, 'V', 'V', 'V', FILES, 0, 0, 3, false, false},
	{1, 5, 10, 'V', 'A', 0, 0, NONE, NONE, NONE, false, false},
	{3, 10, 20, 'A', 'B', 0, 0, 40, 20, NONE, false, false},
	{1, 10, 12, 'A', 'W', 0, 0, 15, 5, 0, false, false}, /* tenths: 2 of 4 ms */
	{1, 12, 20, 'A', 'W', 'W', LOCK, 0, 0, 8, false, false},
	{1, 20, 22, 'W', 'B', 0, 0, 15, 5, 0, false, false},
	{4, 10, 12, 'A', 'W', 0, 0, 20, 0, NONE, false, false},
	{4, 12, 15, 'A', 'W', '-', UNEXPLAINED, 0, 0, 3, false, true},
	{4, 15, 16, 'A', 'W', '-', RUNNABLE, 0, 0, 1, false, true},
	{4, 16, 17, 'A', 'W', 0, 0, 10, 0, NONE, true, false},
	{4, 17, 19, 'A', 'W', 'W', LOCK, 0, 0, 2, false, false},
	{4, 19, 20, 'W', 'B', '-', RUNNABLE, 0, 0, 1, false, true},
	{4, 20, 23, 'W', 'B', 0, 0, 30, 0, NONE, false, false},
	{1, 22, 23, 'B', 'C', 0, 0, 10, 0, 0, false, false},
	{1, 23, 25, 'B', 'C', '-', RUNNABLE, 0, 0, 2, false, true},
	{1, 25, 30, 'B', 'C', 0, 0, 50, 0, 0, true, false},
	{1, 30, 35, 'C', 'W', 0, 0, 50, 0, 0, false, false},
	{1, 35, 40, 'C', 'W', 'W', LOCK, 0, 0, 5, false, false},
	{1, 40, 40, 'W', 'D', 0, 0, 0, 0, 0, false, false},
	{1, 40, 45, 'D', 'W', 'W', LOCK, 0, 0, 5, false, false},
	{1, 45, 50, 'W', 'E', 0, 0, 0, 50, 0, false, false},
	{1, 50, 55, 'E', 'V', 0, 0, NONE, NONE, NONE, false, false},
	{1, 55, 70, 'E', 'V', 'V', FILES, 0, 0, 15, false, false},
	{1, 75, 76, 'V', 'V', '-', LOCK, 0, 0, 1, false, false},
	{2, 1, 4, 'W', 'W', 'W', LOCK, 0, 0, 3, false, false},
	{2, 4, 6, 'W', 'V', 0, 0, NONE, NONE, NONE, false, false},
	{2, 6, 9, 'W', 'V', 'V', CHILD, 0, 0, 3, false, false},
};
enum { ROWS = sizeof rows / sizeof *rows };

static struct data *data;
static unsigned visited;
static bool met[ROWS];

static int place_of(uint32_t stack)
{
	return stack ? (int)(data->addresses[data->stacks[stack].address].offset - OBJECT) : '-';
}

static void check_count(const struct sample_interval *interval, unsigned counter, int expected, unsigned unit)
{
	ck_assert_int_eq(!!(interval->known & 1u << counter), expected != NONE);
	ck_assert_uint_eq(interval->counted[counter], expected == NONE ? 0 : (unsigned)expected * unit);
}

static void check_place(const struct sample_interval *interval, const struct expected_interval *row)
{
	ck_assert_uint_eq(interval->thread, row->thread);
	ck_assert_uint_eq(interval->from, row->from * UNIT);
	ck_assert_uint_eq(interval->to, row->to * UNIT);
	ck_assert_int_eq(place_of(interval->from_stack), row->from_place);
	ck_assert_int_eq(place_of(interval->to_stack), row->to_place);
	ck_assert_int_eq(interval->off_cpu, row->off_place != 0);
	if (row->off_place) {
		ck_assert_int_eq(place_of(interval->off_stack), row->off_place);
		ck_assert_uint_eq(interval->state, row->state);
	}
	ck_assert_int_eq(interval->goes_on, row->goes_on);
	ck_assert_int_eq(interval->aside, row->aside);
}

static void check_interval(void *context, const struct sample_interval *interval)
{
	(void)context;
	unsigned row_number = 0;
	while (row_number < ROWS && (met[row_number] || rows[row_number].thread != interval->thread))
		row_number++; /* threads may come in any order, the intervals of each not */
	ck_assert_uint_lt(row_number, ROWS);
	const struct expected_interval *row = &rows[row_number];
	met[row_number] = true;
	visited++;
	check_place(interval, row);
	check_count(interval, 0, row->user, UNIT / 10);
	check_count(interval, 1, row->system, UNIT / 10);
	check_count(interval, 2, row->offcpu, UNIT);
}

START_TEST(cut_at_waits)
{
	enter_scratch();
	write_threads();
	struct error error;
	struct space_counters counters = {.instructions = SPACE_COUNTERS_MAX};
	unsigned value_of[1][SPACE_VALUES_MAX];
	data = data_create();
	ck_assert_msg(data_load(data, "threads.er", &error), "%s", error.text);
	space_counters_add(&counters, data->experiments[0].file, value_of[0]);
	ck_assert_uint_eq(counters.count, 3);
	sample_intervals_visit(data, value_of, 0, check_interval, 0);
	ck_assert_uint_eq(visited, ROWS);
	data_destroy(data);
	leave_scratch();
}
END_TEST

/* Readings in place of ticks: counter 0 is read, counter 1 is the time off the CPU. */
static void read_at(struct synthetic *s, uint64_t time, char place, int count)
{
	const uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(READING, known)] = count != NONE,
		[FIELD_INDEX(READING, value0)] = count == NONE ? 0 : (unsigned)count};
	synthetic_event(s, KIND_READING, 1, time * UNIT, stack_at(s, place), fields);
}

static void write_readings(void)
{
	struct settings settings;
	settings_default(&settings);
	const struct overflow_counter counter = {.name = "faults", .title = "Faults", .delivery = DELIVERY_READ};
	overflow_counters_encode(&counter, 1, settings.counters, sizeof settings.counters);
	struct synthetic *s = synthetic_begin_with("read.er", &settings, 1e9,
		(struct time_triple){SYNTHETIC_MONOTONIC, SYNTHETIC_MONOTONIC, SYNTHETIC_REALTIME});
	synthetic_map_object(s, OBJECT, 0x1000, 0, OBJECT, "/no/such/object");
	life(s, 1, PERF, 0, 36);
	tick_at(s, 1, 9, 'X', 9, 0); /* a reading is the sample where there are any */
	read_at(s, 10, 'A', NONE);
	off_at(s, 1, 12, 20, LOCK, 'W');
	read_at(s, 22, 'B', 80);
	read_at(s, 30, 'C', NONE);
	off_at(s, 1, 31, 33, RUNNABLE, '-');
	read_at(s, 36, 'D', 6);
	tick_at(s, 1, 36, 'X', 17, 0);
	synthetic_end(s);
}

static const struct expected_interval of_readings[] = {
	{1, 10, 12, 'A', 'W', 0, 0, 40, 0, 0, false, false}, /* 2 of 4 ms that it ran */
	{1, 12, 20, 'A', 'W', 'W', LOCK, NONE, 0, 8, false, false},
	{1, 20, 22, 'W', 'B', 0, 0, 40, 0, 0, false, false},
	{1, 22, 30, 'B', 'C', 0, 0, NONE, 0, 0, false, false},
	{1, 30, 31, 'C', 'D', 0, 0, 1, 0, 0, false, false},
	{1, 31, 33, 'C', 'D', '-', RUNNABLE, NONE, 0, 2, false, true},
	{1, 33, 36, 'C', 'D', 0, 0, 5, 0, 0, true, false},
};

static void check_reading(void *context, const struct sample_interval *interval)
{
	(void)context;
	ck_assert_uint_lt(visited, sizeof of_readings / sizeof *of_readings);
	const struct expected_interval *row = &of_readings[visited++];
	check_place(interval, row);
	check_count(interval, 0, row->user, 1);
	check_count(interval, 1, row->offcpu, UNIT);
}

START_TEST(readings_are_of_the_time_on_the_cpu)
{
	enter_scratch();
	write_readings();
	struct error error;
	struct space_counters counters = {.instructions = SPACE_COUNTERS_MAX};
	unsigned value_of[1][SPACE_VALUES_MAX];
	data = data_create();
	ck_assert_msg(data_load(data, "read.er", &error), "%s", error.text);
	space_counters_add(&counters, data->experiments[0].file, value_of[0]);
	ck_assert_uint_eq(counters.count, 2);
	sample_intervals_visit(data, value_of, 0, check_reading, 0);
	ck_assert_uint_eq(visited, sizeof of_readings / sizeof *of_readings);
	data_destroy(data);
	leave_scratch();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sample intervals");
	TCase *tests = tcase_create("intervals");
	tcase_add_test(tests, cut_at_waits);
	tcase_add_test(tests, readings_are_of_the_time_on_the_cpu);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
