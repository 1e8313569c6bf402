/* SPDX-License-Identifier: Apache-2.0 */
/* The model of metrics takes what is to come without a change: an interval kind, a pair metric, a ratio. */
#include "equations.h"
#include "fake.h"

#include <check.h>

enum { KIND_LOCK = KIND_COUNT, KIND_BLOCK, KIND_NEVER };
enum { ALLOCATE, FREE };

/* An interval kind: its events carry a duration, and the metric is the sum of durations. */
static uint64_t add_wait(uint64_t *restrict sums, const struct data_batch *batch, const struct metric *row)
{
	(void)row;
	for (uint32_t i = 0; i < batch->count; i++)
		sums[batch->stack[i]] += batch->field[0][i];
	return batch->count;
}
static uint64_t add_count(uint64_t *restrict sums, const struct data_batch *batch, const struct metric *row)
{
	(void)row;
	for (uint32_t i = 0; i < batch->count; i++)
		sums[batch->stack[i]]++;
	return batch->count;
}

/* A pair metric: of two events with the same address the later one takes back what the earlier one added. */
struct allocations {
	uint64_t *sums, *events;
	struct {
		uint64_t address, bytes;
		uint32_t stack;
	} alive[64];
	unsigned count;
};
static void pair_up(void *context, const struct data_batch *batch)
{
	struct allocations *all = context;
	for (uint32_t i = 0; i < batch->count; i++) {
		uint64_t address = batch->field[0][i], bytes = batch->field[1][i];
		for (unsigned a = 0; a < all->count; a++)
			if (all->alive[a].address == address) {
				all->sums[all->alive[a].stack] -= all->alive[a].bytes;
				all->alive[a] = all->alive[--all->count];
				break;
			}
		++*all->events;
		if (!bytes)
			continue;
		all->alive[all->count].address = address;
		all->alive[all->count].bytes = bytes;
		all->alive[all->count++].stack = batch->stack[i];
		all->sums[batch->stack[i]] += bytes;
	}
}
static void leaked_bytes(struct data *data, const struct event_filter *filter, const struct metric_keys *keys,
	uint64_t **sums, uint64_t *events)
{
	ck_assert_ptr_null(keys);
	struct allocations all = {.sums = sums[0], .events = events};
	event_filter_visit(data, (enum kind)KIND_BLOCK, filter, pair_up, &all);
}

static const struct metric rows[] = {
	{"sync", "Sync Wait Time", METRIC_NANOSECONDS, (enum kind)KIND_LOCK, "i.", -1, -1, add_wait, 0, 0, 0, 0, {0}},
	{"syncn", "Sync Wait Count", METRIC_COUNT, (enum kind)KIND_LOCK, "i.", -1, -1, add_count, 0, 0, 0, 0, {0}},
	{"leaks", "Bytes Leaked", METRIC_BYTES, (enum kind)KIND_BLOCK, "i.", -1, -1, 0, leaked_bytes, 0, 0, 0, {0}},
	{"mean", "Mean Wait", METRIC_RATIO, KIND_COUNT, "", 0, 1, 0, 0, 0, 0, 0, {0}},
	{"never", "Never Recorded", METRIC_COUNT, (enum kind)KIND_NEVER, "i.", -1, -1, add_count, 0, 0, 0, 0, {0}},
};
static const struct metric_table table = {rows, sizeof rows / sizeof *rows};

START_TEST(interval_pair_and_ratio)
{
	fake_start();
	uint32_t f = fake_stack("main f lock"), g = fake_stack("main g lock"), m = fake_stack("main f malloc"),
		 x = fake_stack("main free");
	fake_event(KIND_LOCK, f, 1, 100, 0);
	fake_event(KIND_LOCK, f, 2, 300, 0);
	fake_event(KIND_LOCK, g, 1, 50, 0);
	fake_event(KIND_BLOCK, m, 1, 0x10, 64);
	fake_event(KIND_BLOCK, m, 1, 0x20, 32);
	fake_event(KIND_BLOCK, x, 2, 0x10, 0);
	struct stack_sums *sums = stack_sums_compute(&fake.data, &table, 0, 0);
	ck_assert_uint_eq(sums->total[0], 450);
	ck_assert_uint_eq(sums->of[0][f], 400);
	ck_assert_uint_eq(sums->total[1], 3);
	ck_assert_uint_eq(sums->events[1], 3);
	ck_assert_uint_eq(sums->total[2], 32);
	ck_assert_uint_eq(sums->of[2][m], 32);
	ck_assert_uint_eq(sums->of[2][x], 0);
	ck_assert(sums->recorded[0] && sums->recorded[2] && sums->recorded[3] && !sums->recorded[4]);
	ck_assert_ptr_null(sums->of[3]);
	struct path_tree *tree = path_tree_build(0, &fake.data, sums, &(struct stack_view){.mode = VIEW_USER});
	struct key_sums *functions = key_sums_compute(tree, fake.function_count, key_function, 0);
	uint32_t lock = fake_function_of("lock"), in_f = fake_function_of("f");
	ck_assert_uint_eq(functions->exclusive[0][lock], 450);
	ck_assert_uint_eq(functions->inclusive[0][in_f] / functions->inclusive[1][in_f], 200);
	ck_assert_uint_eq(functions->inclusive[2][in_f], 32);
	ck_assert_uint_ge(fake_function_of("free"), functions->key_count); /* never resolved: nothing is left of it */
	struct equations equations = equations_check(0, &fake.data, sums, &(struct stack_view){.mode = VIEW_USER});
	ck_assert_msg(equations.checked > 0 && !equations.violated, "%s", equations.first);
	key_sums_free(functions);
	path_tree_free(tree);
	stack_sums_free(sums);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("metric model");
	TCase *tests = tcase_create("metric model");
	tcase_add_test(tests, interval_pair_and_ratio);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
