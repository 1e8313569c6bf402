/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks that stand on a join: who began the region has called them, and how their threads had them stays known. */
#include "data.h"
#include "omp_state.h"
#include "synthetic.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch[] = "/tmp/joins-test.XXXXXX";

static void enter_scratch(void)
{
	ck_assert(mkdtemp(scratch) && !chdir(scratch));
}

static void leave_scratch(void)
{
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", scratch);
	ck_assert(!chdir("/") && !system(command));
	strcpy(scratch + sizeof scratch - 7, "XXXXXX");
}

static struct data *load(void)
{
	struct data *data = data_create();
	struct error error;
	ck_assert_msg(data_load(data, "a.er", &error), "%s", error.text);
	return data;
}

/* The stack of each thread's only event. */
static uint32_t stacks[8];

static void take_stacks(void *context, const struct data_batch *batch)
{
	(void)context;
	for (uint32_t i = 0; i < batch->count; i++) {
		ck_assert_uint_lt(batch->thread[i], 8);
		stacks[batch->thread[i]] = batch->stack[i];
	}
}

/* The offsets in their objects of all frames, leaf first, as text; with "r", "o" and "ot" after those of the run-time, those that
   are regions' functions, and those that are tasks'. */
static const char *frames(const struct data *data, uint32_t stack)
{
	static char text[256];
	int length = 0;
	text[0] = 0;
	for (; stack && !(data->stacks[stack].flags & STACK_ROOT); stack = data->stacks[stack].parent) {
		const struct stack *own = &data->stacks[stack];
		ck_assert_uint_lt(own->native, stack);
		length += snprintf(text + length, sizeof text - (size_t)length, "%s%lx%s%s%s", length ? " " : "",
			(unsigned long)data->addresses[own->address].offset, own->flags & STACK_RUN_TIME ? "r" : "",
			own->flags & STACK_OUTLINED ? "o" : "", own->flags & STACK_TASK ? "t" : "");
	}
	ck_assert_uint_eq(data->stacks[stack].address, ROOT_START);
	return text;
}

#define APP 0x400000u
#define RUN 0x500000u

static struct synthetic *begin(void)
{
	struct synthetic *s = synthetic_begin("a.er");
	synthetic_map_object(s, APP, 0x10000, 0, 0, "/bin/app");
	synthetic_map_object(s, RUN, 0x10000, 0, 0x10000, "/lib/run-time");
	return s;
}

static uint32_t outermost(struct synthetic *s, uint64_t pc)
{
	return synthetic_stack(s, &pc, 1, SYNTHETIC_RETURN_ADDRESS);
}

static uint32_t on(struct synthetic *s, uint32_t stack, uint64_t pc)
{
	return synthetic_node(s, pc, stack, 0);
}

static uint32_t join(struct synthetic *s, uint32_t base, uint32_t caller)
{
	return synthetic_node(s, base, caller, NODE_JOIN);
}

static void tick(struct synthetic *s, uint32_t thread, uint32_t stack)
{
	synthetic_clock(s, thread, 1000 * thread, stack, 10, 0);
}

/* Thread 1 begins a region at 100, thread 2 works in it at 200, and begins another there at 210, in which thread 3 works at 300. */
START_TEST(members_stand_on_who_began_the_region)
{
	struct synthetic *s = begin();
	uint32_t caller = outermost(s, APP + 0x100), worker = outermost(s, RUN + 0x900);
	uint32_t in_outer = join(s, worker, caller), begins = on(s, on(s, in_outer, RUN + 0x910), APP + 0x210);
	uint32_t in_inner = join(s, worker, begins);
	tick(s, 1, on(s, join(s, on(s, caller, RUN + 0x800), caller), APP + 0x200));
	tick(s, 2, on(s, on(s, in_outer, RUN + 0x910), APP + 0x200));
	tick(s, 3, on(s, on(s, on(s, in_inner, RUN + 0x910), APP + 0x300), APP + 0x310));
	tick(s, 4, worker);
	synthetic_end(s);
	struct data *data = load();
	data_visit(data, KIND_CLOCK, take_stacks, 0);
	ck_assert_str_eq(frames(data, stacks[1]), "200o 100");
	ck_assert_str_eq(frames(data, stacks[2]), "200o 10910r 100");
	ck_assert_str_eq(frames(data, stacks[3]), "310 300o 10910r 210o 10910r 100");
	ck_assert_str_eq(frames(data, stacks[4]), "10900");
	ck_assert_str_eq(frames(data, data_native_stack(data, stacks[1])), "200 10800 100");
	ck_assert_str_eq(frames(data, data_native_stack(data, stacks[2])), "200 10910 10900");
	ck_assert_str_eq(frames(data, data_native_stack(data, stacks[3])), "310 300 10910 10900");
	ck_assert_uint_eq(data_native_stack(data, stacks[4]), stacks[4]);
	uint32_t more = data_stack_on(data, stacks[3], data->stacks[stacks[4]].address, STACK_EXACT);
	ck_assert_str_eq(frames(data, data_native_stack(data, more)), "10900 310 300 10910 10900");
	uint32_t moved = data_stack_at(data, stacks[3], data->stacks[stacks[4]].address);
	ck_assert_str_eq(frames(data, moved), "10900 300o 10910r 210o 10910r 100");
	ck_assert_str_eq(frames(data, data_native_stack(data, moved)), "10900 300 10910 10900");
	data_destroy(data);
}
END_TEST

/* Thread 1, in a region, creates a task at 110; thread 2 runs it at 300 and there itself a region's function, at 400. */
START_TEST(tasks_stand_on_who_created_them)
{
	struct synthetic *s = begin();
	uint32_t caller = outermost(s, APP + 0x100), worker = outermost(s, RUN + 0x900);
	uint32_t creates = on(s, on(s, join(s, on(s, caller, RUN + 0x800), caller), APP + 0x200), APP + 0x110);
	uint32_t task = synthetic_node(s, worker, creates, NODE_JOIN | NODE_TASK);
	uint32_t begins = on(s, on(s, on(s, task, RUN + 0x920), APP + 0x300), APP + 0x310);
	tick(s, 1, on(s, on(s, task, RUN + 0x920), APP + 0x300));
	tick(s, 2, on(s, join(s, worker, begins), APP + 0x400));
	synthetic_end(s);
	struct data *data = load();
	data_visit(data, KIND_CLOCK, take_stacks, 0);
	ck_assert_str_eq(frames(data, stacks[1]), "300ot 10920r 110 200o 100");
	ck_assert_str_eq(frames(data, stacks[2]), "400o 310 300ot 10920r 110 200o 100");
	ck_assert_str_eq(frames(data, data_native_stack(data, stacks[1])), "300 10920 10900");
	data_destroy(data);
}
END_TEST

/* Then nothing tells its frames from the program's. */
START_TEST(a_run_time_that_is_part_of_the_program_has_plain_frames)
{
	struct synthetic *s = begin();
	uint32_t caller = outermost(s, APP + 0x100), worker = outermost(s, APP + 0x900);
	tick(s, 1, on(s, on(s, join(s, worker, caller), APP + 0x910), APP + 0x200));
	synthetic_end(s);
	struct data *data = load();
	data_visit(data, KIND_CLOCK, take_stacks, 0);
	ck_assert_str_eq(frames(data, stacks[1]), "200 910 100");
	data_destroy(data);
}
END_TEST

#define WAITS_AT(at, node) ((uint64_t)STATE_VALUE(OPENMP, construct, at) << 32 | (node))

/* Thread 1 waits in the run-time that it has called at 120, thread 2 in a region. */
START_TEST(waits_stand_on_the_call_that_waited)
{
	struct synthetic *s = begin();
	uint32_t caller = outermost(s, APP + 0x100), worker = outermost(s, RUN + 0x900);
	uint32_t call = on(s, caller, APP + 0x120), within = on(s, on(s, call, RUN + 0x700), RUN + 0x710);
	uint32_t works = on(s, on(s, join(s, worker, caller), RUN + 0x910), APP + 0x200);
	tick(s, 1, synthetic_node(s, WAITS_AT(explicit_barrier, within), call, NODE_WAIT));
	tick(s, 2, synthetic_node(s, WAITS_AT(lock, on(s, works, RUN + 0x720)), works, NODE_WAIT));
	tick(s, 3, synthetic_node(s, WAITS_AT(lock, 1000000), works, NODE_WAIT));
	synthetic_end(s);
	struct data *data = load();
	data_visit(data, KIND_CLOCK, take_stacks, 0);
	ck_assert_str_eq(frames(data, stacks[1]), "104 120 100");
	ck_assert_str_eq(frames(data, data_native_stack(data, stacks[1])), "10710 10700 120 100");
	ck_assert_str_eq(frames(data, stacks[2]), "108 200o 10910r 100");
	ck_assert_str_eq(frames(data, data_native_stack(data, stacks[2])), "10720 200 10910 10900");
	ck_assert_uint_eq(omp_state_of_stack(data, stacks[1]), OMP_EXPLICIT_BARRIER);
	ck_assert_uint_eq(omp_state_of_stack(data, stacks[2]), OMP_LOCK);
	ck_assert_uint_eq(omp_state_of_stack(data, data_native_stack(data, stacks[1])), OMP_NONE);
	ck_assert_uint_eq(omp_state_of_stack(data, stacks[3]), OMP_NONE);
	ck_assert_uint_eq(data->stacks[stacks[3]].address, ROOT_FAILED);
	data_destroy(data);
}
END_TEST

START_TEST(a_join_of_nothing_is_survived)
{
	struct synthetic *s = begin();
	uint32_t caller = outermost(s, APP + 0x100);
	tick(s, 1, on(s, join(s, 1000000, caller), APP + 0x200));
	tick(s, 2, on(s, join(s, caller + 3, caller), APP + 0x200)); /* itself */
	synthetic_end(s);
	struct data *data = load();
	data_visit(data, KIND_CLOCK, take_stacks, 0);
	for (int thread = 1; thread <= 2; thread++) {
		const struct stack *own = &data->stacks[stacks[thread]], *root = &data->stacks[own->parent];
		ck_assert_uint_eq(data->addresses[own->address].offset, 0x200);
		ck_assert_uint_eq(own->native, 0);
		ck_assert_uint_eq(root->flags, STACK_ROOT);
		ck_assert_uint_eq(root->address, ROOT_FAILED);
	}
	data_destroy(data);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("joins");
	TCase *joins = tcase_create("joins");
	tcase_add_checked_fixture(joins, enter_scratch, leave_scratch);
	tcase_add_test(joins, members_stand_on_who_began_the_region);
	tcase_add_test(joins, tasks_stand_on_who_created_them);
	tcase_add_test(joins, a_run_time_that_is_part_of_the_program_has_plain_frames);
	tcase_add_test(joins, waits_stand_on_the_call_that_waited);
	tcase_add_test(joins, a_join_of_nothing_is_survived);
	suite_add_tcase(suite, joins);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
