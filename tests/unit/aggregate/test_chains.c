// SPDX-License-Identifier: Apache-2.0
// Chain stacks: who waited, then who ended the wait, from leaf to root, then who had ended that one's own wait meanwhile. Times are
// in microseconds.
#define UNIT   1000
#define TESTED "chain"
#include "states_run.h"

enum { SLEEP = STATE_VALUE(OFFCPU, state, sleep) };

enum { ONE = 0x7f0000001000, OTHER = 0x7f0000002000, CODE = 0x400000 };

/* A stack of two frames, main's and one more. */
static uint32_t at(struct synthetic *s, uint64_t outer, uint64_t leaf)
{
	return synthetic_stack(s, (uint64_t[]){CODE + outer, CODE + leaf}, 2, 0);
}

static void event(struct synthetic *s, uint32_t thread, uint32_t stack, uint64_t from, uint64_t to, uint64_t state,
	uint64_t object)
{
	uint64_t fields[FIELDS_MAX] = {[FIELD_INDEX(OFFCPU, duration)] = (to - from) * UNIT,
		[FIELD_INDEX(OFFCPU, state)] = state,
		[FIELD_INDEX(OFFCPU, object)] = object};
	synthetic_event(s, KIND_OFFCPU, thread, to * UNIT, stack, fields);
}

static struct synthetic *begin(const char *path)
{
	struct synthetic *s = synthetic_begin(path);
	synthetic_map_object(s, CODE, 0x10000, 0, 0, "/no/app");
	return s;
}

/* "10 11 -- 21 20": offsets from the root on. */
static void describe(const struct data *data, uint32_t stack, char *text)
{
	const struct stack *own = &data->stacks[stack];
	if (!stack || own->flags & STACK_ROOT) {
		text[0] = 0;
		return;
	}
	describe(data, own->parent, text);
	const struct code_address *address = &data->addresses[own->address];
	text += strlen(text);
	if (address->object == OBJECT_INDEX_TOTAL)
		strcpy(text, "-- ");
	else
		sprintf(text, "%lx ", (unsigned long)address->offset);
}

struct sum {
	const char *stack;
	uint64_t value;
};

static void check_sums(const char *path, const struct sum *expected, size_t count)
{
	struct data *data = data_create();
	struct error error;
	ck_assert_msg(data_load(data, path, &error), "%s", error.text);
	const struct metric_table *metrics = metrics_builtin();
	unsigned tested = (unsigned)metric_find(metrics, TESTED);
	bool *wanted = memory_new(metrics->count, sizeof *wanted);
	wanted[tested] = true;
	struct stack_sums *sums = stack_sums_compute(data, metrics, 0, wanted);
	size_t found = 0;
	for (uint32_t s = 0; s < sums->stack_count; s++) {
		char text[1024];
		if (!sums->of[tested][s])
			continue;
		describe(data, s, text);
		size_t e = 0;
		while (e < count && strcmp(expected[e].stack, text) != 0)
			e++;
		ck_assert_msg(e < count, "%s: %lu", text, (unsigned long)sums->of[tested][s]);
		ck_assert_uint_eq(sums->of[tested][s], expected[e].value * UNIT);
		found++;
	}
	ck_assert_uint_eq(found, count);
	stack_sums_free(sums);
	free(wanted);
	data_destroy(data);
}
#define SUMS(path, ...)                                                                                                \
	check_sums(path, (const struct sum[]){__VA_ARGS__},                                                            \
		sizeof((const struct sum[]){__VA_ARGS__}) / sizeof(struct sum))

START_TEST(one_wakes_two_wakes_three)
{
	struct synthetic *s = begin("chain.er");
	uint32_t waits2 = at(s, 0x20, 0x21), wakes2 = at(s, 0x22, 0x23), waits3 = at(s, 0x30, 0x31),
		 wakes1 = at(s, 0x10, 0x11);
	event(s, 1, wakes1, 50000, 50000, WAKING, ONE);
	event(s, 2, waits2, 10000, 50100, LOCK, ONE);
	event(s, 2, wakes2, 55000, 59000, SLEEP, 0); /* nobody ended it */
	event(s, 2, wakes2, 60000, 60000, WAKING, OTHER);
	event(s, 3, waits3, 20000, 60200, FILES, OTHER);
	synthetic_end(s);
	SUMS("chain.er", {"20 21 -- 11 10 ", 40100}, {"22 23 ", 4000}, {"30 31 -- 23 22 -- 11 10 ", 40200});
}
END_TEST

START_TEST(what_was_over_before_is_no_cause)
{
	struct synthetic *s = begin("over.er");
	uint32_t waits2 = at(s, 0x20, 0x21), wakes2 = at(s, 0x22, 0x23), waits3 = at(s, 0x30, 0x31),
		 wakes1 = at(s, 0x10, 0x11);
	event(s, 1, wakes1, 50000, 50000, WAKING, ONE);
	event(s, 2, waits2, 10000, 50100, LOCK, ONE);
	event(s, 3, waits3, 50200, 60200, LOCK, OTHER);
	event(s, 2, wakes2, 60000, 60000, WAKING, OTHER);
	event(s, 2, waits2, 70000, 80000, LOCK, ONE); /* nobody is known to have ended it */
	event(s, 2, waits2, 80000, 81000, RUNNABLE, 0);
	synthetic_end(s);
	SUMS("over.er", {"20 21 -- 11 10 ", 40100}, {"30 31 -- 23 22 ", 10000}, {"20 21 ", 10000});
}
END_TEST

/* Waits without a stack, and wakers without one. */
START_TEST(some_have_no_stack)
{
	struct synthetic *s = begin("none.er");
	uint32_t waits = at(s, 0x20, 0x21), wakes = at(s, 0x10, 0x11);
	event(s, 1, 0, 50000, 50000, WAKING, ONE);
	event(s, 2, waits, 10000, 50100, LOCK, ONE);
	event(s, 1, wakes, 70000, 70000, WAKING, OTHER);
	event(s, 3, 0, 60000, 70100, LOCK, OTHER);
	event(s, 3, 0, 80000, 81000, CHILD, 0);
	synthetic_end(s);
	SUMS("none.er", {"20 21 -- ", 40100}, {"-- 11 10 ", 10100}, {"", 1000});
}
END_TEST

/* Threads wait for a CPU for long when they were woken, and events of others come before that wait is recorded. */
START_TEST(on_the_run_queue_meanwhile)
{
	struct synthetic *s = begin("queue.er");
	uint32_t waits2 = at(s, 0x20, 0x21), wakes2 = at(s, 0x22, 0x23), waits3 = at(s, 0x30, 0x31),
		 wakes1 = at(s, 0x10, 0x11);
	event(s, 1, wakes1, 52000, 52000, WAKING, ONE);
	event(s, 1, wakes1, 52100, 53000, SLEEP, 0);
	event(s, 2, waits2, 10000, 50000, LOCK, ONE);
	event(s, 3, waits3, 20000, 60000, LOCK, OTHER);
	event(s, 2, waits2, 50000, 55000, RUNNABLE, 0);
	event(s, 2, wakes2, 63000, 63000, WAKING, OTHER);
	event(s, 3, waits3, 60000, 65000, RUNNABLE, 0);
	synthetic_end(s);
	SUMS("queue.er", {"10 11 ", 900}, {"20 21 -- 11 10 ", 40000}, {"30 31 -- 23 22 -- 11 10 ", 40000});
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("chains");
	TCase *test = tcase_create("all");
	tcase_add_checked_fixture(test, enter_scratch, leave_scratch);
	tcase_add_test(test, one_wakes_two_wakes_three);
	tcase_add_test(test, what_was_over_before_is_no_cause);
	tcase_add_test(test, some_have_no_stack);
	tcase_add_test(test, on_the_run_queue_meanwhile);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
