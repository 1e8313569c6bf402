// SPDX-License-Identifier: Apache-2.0
// The metrics of counters, of experiments written for the test: sums by counter, cycles as time by the harmonic mean of two
// experiments' rates, quotients, and what is not the program's doing.
#include "counter_metrics.h"
#include "key_sums.h"
#include "overflow_counter.h"
#include "path_tree.h"
#include "resolver.h"
#include "stack_sums.h"
#include "synthetic.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CYCLES, INSTS, UNCORE };

static struct overflow_counter described[] = {
	{.name = "cycles", .title = "CPU Cycles", .units = UNITS_CPU_CYCLES, .rate = 2000000, .interval = 1000},
	{.name = "insts", .title = "Instructions Executed", .interval = 1000},
	{.name = "uncore", .title = "Reads of the Socket", .interval = 7, .unrelated = 1},
};

static void overflow(struct synthetic *s, uint64_t time, uint32_t stack, uint64_t counter, uint64_t interval)
{
	uint64_t fields[] = {
		[FIELD_INDEX(OVERFLOW, counter)] = counter,
		[FIELD_INDEX(OVERFLOW, interval)] = interval,
		[FIELD_INDEX(OVERFLOW, mode)] = 1,
		[FIELD_INDEX(OVERFLOW, leaf)] = 0,
		[FIELD_INDEX(OVERFLOW, address)] = 0,
		[FIELD_INDEX(OVERFLOW, source)] = 0,
		[FIELD_INDEX(OVERFLOW, latency)] = 0,
	};
	synthetic_event(s, KIND_OVERFLOW, 1, time, stack, fields);
}

static void experiment(const char *path, uint64_t rate, unsigned counters, uint64_t scale)
{
	struct settings settings;
	settings_default(&settings);
	described[CYCLES].rate = rate;
	overflow_counters_encode(described, counters, settings.counters, sizeof settings.counters);
	struct synthetic *s = synthetic_begin_with(path, &settings, 1e9,
		(struct time_triple){SYNTHETIC_MONOTONIC, SYNTHETIC_MONOTONIC, SYNTHETIC_REALTIME});
	synthetic_map_object(s, 0x400000, 0x10000, 0x1000, 0x401000, "/bin/nothing-here");
	uint32_t stack = synthetic_stack(s, (uint64_t[]){0x400100, 0x400200}, 2, 0);
	overflow(s, 100, stack, CYCLES, 2000 * scale);
	overflow(s, 200, stack, INSTS, 1000 * scale);
	overflow(s, 300, stack, CYCLES, 4000 * scale);
	if (counters > UNCORE)
		overflow(s, 400, 0, UNCORE, 7);
	synthetic_end(s);
}

START_TEST(sums_rates_and_quotients)
{
	char directory[] = "/tmp/counter-metrics.XXXXXX";
	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(chdir(directory), 0);
	experiment("one.er", 2000000, 3, 1);
	experiment("two.er", 3000000, 2, 10);
	struct data *data = data_create();
	struct error error;
	struct metric_rows rows = {.rows = 0};
	ck_assert(data_load(data, "one.er", &error));
	metric_rows_extend(&rows, data);
	int cycles = metric_find(&rows.table, "cycles"), ipc = metric_find(&rows.table, "ipc");
	ck_assert_int_ge(cycles, 0);
	ck_assert_int_ge(ipc, 0);
	ck_assert_int_eq(rows.rows[cycles].unit, METRIC_CYCLES);
	ck_assert_uint_eq(metric_nanoseconds(&rows.rows[cycles], 6000), 3000); /* at 2 GHz */
	ck_assert(data_load(data, "two.er", &error));
	metric_rows_extend(&rows, data);
	ck_assert_int_eq(metric_find(&rows.table, "cycles"), cycles);
	ck_assert_int_eq(metric_find(&rows.table, "ipc"), ipc);
	ck_assert_uint_eq(rows.rows[cycles].rate, 2400000); /* 2 / (1/2 + 1/3) */
	int insts = metric_find(&rows.table, "insts"), uncore = metric_find(&rows.table, "uncore");
	struct stack_sums *sums = stack_sums_compute(data, &rows.table, 0, 0);
	ck_assert(sums->recorded[cycles] && sums->recorded[insts] && sums->recorded[ipc] && sums->recorded[uncore]);
	ck_assert_uint_eq(sums->total[cycles], 66000);
	ck_assert_uint_eq(sums->total[insts], 11000);
	ck_assert_uint_eq(sums->total[uncore], 7);
	ck_assert_uint_eq(sums->events[cycles], 4);
	ck_assert_uint_eq(sums->of[uncore][0], 0);
	ck_assert_uint_eq(sums->of[uncore][data->experiments[0].unrelated_stack], 7);
	struct resolver *resolver = resolver_create(data);
	struct stack_view view = {.mode = VIEW_USER};
	struct path_tree *tree = path_tree_build(resolver, data, sums, &view);
	struct key_sums *functions = key_sums_compute(tree, resolver_function_count(resolver), key_function, resolver);
	ck_assert_uint_eq(functions->exclusive[uncore][FUNCTION_UNRELATED], 7);
	ck_assert_uint_eq(functions->inclusive[uncore][FUNCTION_UNRELATED], 7);
	ck_assert_uint_eq(functions->exclusive[uncore][FUNCTION_NO_STACK], 0);
	ck_assert_uint_eq(functions->exclusive[cycles][FUNCTION_UNRELATED], 0);
	ck_assert_str_eq(resolver_function(resolver, FUNCTION_UNRELATED)->long_name, "collector_not_program_related");
	key_sums_free(functions);
	path_tree_free(tree);
	resolver_destroy(resolver);
	stack_sums_free(sums);
	metric_rows_free(&rows);
	data_destroy(data);
	ck_assert_int_eq(chdir("/"), 0);
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("counter metrics");
	TCase *tests = tcase_create("all");
	tcase_add_test(tests, sums_rates_and_quotients);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
