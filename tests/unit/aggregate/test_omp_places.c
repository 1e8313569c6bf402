// SPDX-License-Identifier: Apache-2.0
// Events of threads that wait at the end of a parallel region, or between two, have stacks by their time. Times are in
// microseconds.
#include "omp_places.h"
#include "omp_state.h"
#include "omp_synthetic.h"
#include "timed_stacks.h"

#include <check.h>
#include <stdlib.h>

enum { LIBC = 0x600000 };
enum { MAIN = ONE + 0x10, BODY = ONE + 0x200, HANDLER = ONE + 0x300 };
enum { MASTER = 1, WORKER = 2, STRANGER = 3 };
#define FRAMES(...) (uint64_t[]){__VA_ARGS__}, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)

static uint32_t begun; /* the stack of the region's begin: the call, or on it the region's function */

static void openmp(struct synthetic *s, uint32_t thread, uint64_t time, uint64_t what)
{
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(OPENMP, what)] = what, [FIELD_INDEX(OPENMP, region)] = 1};
	synthetic_event(s, KIND_OPENMP, thread, time * UNIT,
		what == STATE_VALUE(OPENMP, what, region_begin) ? begun : 0, fields);
}

static void tick(struct synthetic *s, uint32_t thread, uint64_t time, uint32_t stack)
{
	synthetic_clock(s, thread, time * UNIT, stack, UNIT, 0);
}

static void off_cpu(struct synthetic *s, uint32_t thread, uint64_t from, uint64_t to, uint32_t stack, uint64_t place)
{
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(OFFCPU, duration)] = (to - from) * UNIT,
		[FIELD_INDEX(OFFCPU, state)] = STATE_VALUE(OFFCPU, state, lock),
		[FIELD_INDEX(OFFCPU, place)] = place};
	synthetic_event(s, KIND_OFFCPU, thread, to * UNIT, stack, fields);
}

/* From 120 to 150. */
static void wait_for_tasks(struct synthetic *s)
{
	uint32_t wait = synthetic_stack(s, FRAMES(MAIN, BODY + 0x30), SYNTHETIC_RETURN_ADDRESS);
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(OPENMP, what)] = STATE_VALUE(OPENMP, what, wait),
		[FIELD_INDEX(OPENMP, region)] = 1,
		[FIELD_INDEX(OPENMP, waits)] = 1,
		[FIELD_INDEX(OPENMP, duration)] = 30 * UNIT,
		[FIELD_INDEX(OPENMP, construct)] = STATE_VALUE(OPENMP, construct, taskwait)};
	synthetic_event(s, KIND_OPENMP, MASTER, 150 * UNIT, wait, fields);
}

/* The region runs from 100 to 300: the team begins until 110, the members work until 200 and 250. */
static struct synthetic *begin_region(const char *path, bool with_function)
{
	struct synthetic *s = begin(path);
	synthetic_map_object(s, LIBC, 0x10000, 0, 0, "/lib/libc.so.6");
	begun = synthetic_stack(s, FRAMES(MAIN), SYNTHETIC_RETURN_ADDRESS);
	begun = with_function ? synthetic_node(s, BODY, begun, NODE_EXACT) : begun;
	openmp(s, MASTER, 100, STATE_VALUE(OPENMP, what, region_begin));
	openmp(s, MASTER, 110, STATE_VALUE(OPENMP, what, member_begin));
	openmp(s, WORKER, 120, STATE_VALUE(OPENMP, what, member_begin));
	wait_for_tasks(s);
	openmp(s, MASTER, 200, STATE_VALUE(OPENMP, what, member_end));
	openmp(s, WORKER, 250, STATE_VALUE(OPENMP, what, member_end));
	openmp(s, MASTER, 300, STATE_VALUE(OPENMP, what, region_end));
	return s;
}

static uint32_t working(struct synthetic *s)
{
	uint32_t base = synthetic_stack(s, FRAMES(LIBC + 0x20, OTHER + 0x20), SYNTHETIC_RETURN_ADDRESS);
	uint32_t caller = synthetic_stack(s, FRAMES(MAIN), SYNTHETIC_RETURN_ADDRESS);
	uint32_t join = synthetic_node(s, base, caller, NODE_JOIN);
	return synthetic_node(s, BODY, join, NODE_EXACT);
}

struct found {
	uint32_t thread, stack;
	uint64_t time;
};
struct all {
	struct found events[20];
	unsigned count;
};

static void keep(void *context, const struct data_batch *batch)
{
	struct all *all = context;
	for (uint32_t i = 0; i < batch->count; i++)
		all->events[all->count++] = (struct found){batch->thread[i], batch->stack[i], batch->time[i] / UNIT};
}

static struct data *data;

static void load(const char *path)
{
	struct error error;
	data = data_create();
	ck_assert_msg(data_load(data, path, &error), "%s", error.text);
}

static uint32_t stack_of(enum kind kind, uint32_t thread, uint64_t time)
{
	struct all all = {.count = 0};
	data_visit(data, kind, keep, &all);
	for (unsigned i = 0; i < all.count; i++)
		if (all.events[i].thread == thread && all.events[i].time == time)
			return all.events[i].stack;
	ck_abort_msg("no event of thread %u at %lu", thread, (unsigned long)time);
}

/* The leaf is of that state, and its caller is that code. */
static void check(enum kind kind, uint32_t thread, uint64_t time, enum omp_state state, uint64_t caller)
{
	const struct stack *leaf = &data->stacks[stack_of(kind, thread, time)];
	const struct stack *parent = &data->stacks[leaf->parent];
	const struct code_address *address = &data->addresses[leaf->address];
	ck_assert_uint_eq(address->object, OBJECT_INDEX_TOTAL);
	ck_assert_uint_eq(address->offset, OMP_OFFSET(state));
	ck_assert_uint_eq(parent->flags & STACK_ROOT ? 0 : data->addresses[parent->address].offset, caller);
}

static void check_code(enum kind kind, uint32_t thread, uint64_t time, uint64_t code)
{
	const struct stack *leaf = &data->stacks[stack_of(kind, thread, time)];
	ck_assert_uint_eq(data->addresses[leaf->address].offset, code);
}

START_TEST(waiting_threads)
{
	struct synthetic *s = begin_region("waits.er", _i);
	uint32_t in_run_time = synthetic_stack(s, FRAMES(LIBC + 0x20, OTHER + 0x20, OTHER + 0x60, LIBC + 0x90), 0);
	uint32_t handler = synthetic_stack(s, FRAMES(LIBC + 0x20, OTHER + 0x20, HANDLER), 0);
	uint32_t at_end = synthetic_stack(s, FRAMES(MAIN, OTHER + 0x70), 0);
	uint32_t elsewhere = synthetic_stack(s, FRAMES(MAIN + 8, OTHER + 0x70), 0);
	tick(s, WORKER, 50, in_run_time);
	tick(s, STRANGER, 60, in_run_time);
	tick(s, MASTER, 90, at_end);
	tick(s, MASTER, 105, at_end);
	tick(s, WORKER, 150, working(s));
	tick(s, WORKER, 160, in_run_time);
	tick(s, MASTER, 210, at_end);
	tick(s, MASTER, 220, elsewhere);
	tick(s, MASTER, 230, in_run_time);
	tick(s, WORKER, 260, in_run_time);
	tick(s, WORKER, 270, handler);
	tick(s, WORKER, 310, in_run_time);
	off_cpu(s, MASTER, 130, 148, handler, STATE_VALUE(OFFCPU, place, inferred));
	off_cpu(s, MASTER, 148, 149, handler, STATE_VALUE(OFFCPU, place, call));
	off_cpu(s, WORKER, 120, 150, in_run_time, STATE_VALUE(OFFCPU, place, inferred));
	off_cpu(s, WORKER, 251, 271, in_run_time, STATE_VALUE(OFFCPU, place, call));
	off_cpu(s, WORKER, 271, 281, handler, STATE_VALUE(OFFCPU, place, call));
	off_cpu(s, WORKER, 281, 295, handler, STATE_VALUE(OFFCPU, place, inferred));
	off_cpu(s, WORKER, 295, 400, 0, STATE_VALUE(OFFCPU, place, none));
	synthetic_end(s);
	load("waits.er");
	check_code(KIND_CLOCK, WORKER, 260, 0x90);
	omp_places_make(data);
	check(KIND_CLOCK, WORKER, 50, OMP_IDLE, 0);
	check_code(KIND_CLOCK, STRANGER, 60, 0x90);
	check_code(KIND_CLOCK, MASTER, 90, 0x70);
	check(KIND_CLOCK, MASTER, 105, OMP_OVERHEAD, MAIN - ONE);
	check_code(KIND_CLOCK, WORKER, 150, BODY - ONE);
	check_code(KIND_CLOCK, WORKER, 160, 0x90);
	check(KIND_CLOCK, MASTER, 210, OMP_IMPLICIT_BARRIER, MAIN - ONE);
	check_code(KIND_CLOCK, MASTER, 220, 0x70);
	check(KIND_CLOCK, MASTER, 230, OMP_IMPLICIT_BARRIER, MAIN - ONE);
	check(KIND_CLOCK, WORKER, 260, OMP_IMPLICIT_BARRIER, MAIN - ONE);
	check_code(KIND_CLOCK, WORKER, 270, HANDLER - ONE);
	check(KIND_CLOCK, WORKER, 310, OMP_IDLE, 0);
	check(KIND_OFFCPU, MASTER, 148, OMP_TASKWAIT, BODY + 0x30 - ONE);
	check_code(KIND_OFFCPU, MASTER, 149, HANDLER - ONE);
	check_code(KIND_OFFCPU, WORKER, 150, 0x90);
	check(KIND_OFFCPU, WORKER, 271, OMP_IMPLICIT_BARRIER, MAIN - ONE);
	check_code(KIND_OFFCPU, WORKER, 281, HANDLER - ONE);
	check(KIND_OFFCPU, WORKER, 295, OMP_IMPLICIT_BARRIER, MAIN - ONE);
	check(KIND_OFFCPU, WORKER, 400, OMP_IDLE, 0);
	data_forget_placed_stacks(data);
	check_code(KIND_CLOCK, WORKER, 260, 0x90);
	data_destroy(data);
}
END_TEST

/* A run-time that is part of the program cannot be told from it. */
START_TEST(run_time_of_the_program)
{
	struct synthetic *s = begin_region("static.er", false);
	uint32_t in_run_time = synthetic_stack(s, FRAMES(LIBC + 0x20, ONE + 0x800), 0);
	tick(s, WORKER, 260, in_run_time);
	synthetic_end(s);
	load("static.er");
	omp_places_make(data);
	check_code(KIND_CLOCK, WORKER, 260, 0x800);
	data_destroy(data);
}
END_TEST

START_TEST(no_regions)
{
	struct synthetic *s = begin("none.er");
	tick(s, MASTER, 10, site(s, ONE, 0x10));
	synthetic_end(s);
	load("none.er");
	ck_assert(!omp_places_are_in(data));
	omp_places_make(data);
	ck_assert_ptr_null(data->timed_stacks);
	data_destroy(data);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("omp_places");
	tcase_add_checked_fixture(tests, enter_scratch, leave_scratch);
	tcase_add_loop_test(tests, waiting_threads, 0, 2);
	tcase_add_test(tests, run_time_of_the_program);
	tcase_add_test(tests, no_regions);
	Suite *suite = suite_create("omp_places");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
