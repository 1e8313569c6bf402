// SPDX-License-Identifier: Apache-2.0
// Clock events are divided among the times between the waits before them, with a stack that fits the waits.
#include "clock_pieces.h"
#include "fake.h"

#include <check.h>

enum { MOST = 64 };

static struct metric_event events[MOST];
static size_t event_count;

static void add(enum kind kind, uint32_t thread, const char *stack, uint64_t time, uint64_t value)
{
	fake_work(stack, 1);
	events[event_count] = (struct metric_event){.time = time,
		.value = value,
		.thread = thread,
		.stack = fake_stack(stack),
		.order = (uint32_t)event_count,
		.kind = kind};
	event_count++;
}

struct expected {
	uint64_t from, to;
	const char *stack;
	enum kind kind;
};

static void check_pieces(const struct expected *expected, size_t count, uint64_t covered)
{
	struct stack_sums *sums = stack_sums_compute(&fake.data, metrics_builtin(), 0, 0);
	struct path_tree *tree = path_tree_build(0, &fake.data, sums, &(struct stack_view){.mode = VIEW_USER});
	uint64_t found = 0;
	struct metric_events pieces = clock_pieces(&(struct metric_events){events, event_count}, tree, &found);
	ck_assert_uint_eq(pieces.count, count);
	for (size_t i = 0; i < count; i++) {
		const struct metric_event *piece = &pieces.all[i];
		ck_assert_uint_eq(piece->time - piece->value, expected[i].from);
		ck_assert_uint_eq(piece->time, expected[i].to);
		ck_assert_uint_eq(piece->stack, fake_stack(expected[i].stack));
		ck_assert_int_eq((int)piece->kind, (int)expected[i].kind);
	}
	ck_assert_uint_eq(found, covered);
	free(pieces.all);
	path_tree_free(tree);
	stack_sums_free(sums);
}

#define CHECK_PIECES(covered, ...)                                                                                     \
	do {                                                                                                           \
		const struct expected expected[] = {__VA_ARGS__};                                                      \
		check_pieces(expected, sizeof expected / sizeof *expected, covered);                                   \
	} while (0)

static void start(void)
{
	fake_start();
	event_count = 0;
}

START_TEST(waits_have_the_rest_between_them)
{
	start();
	add(KIND_OFFCPU, 1, "m w", 200, 50);
	add(KIND_OFFCPU, 1, "m w", 300, 60);
	add(KIND_CLOCK, 1, "m c", 330, 120);
	add(KIND_OFFCPU, 1, "m v", 410, 60);
	add(KIND_CLOCK, 1, "m x", 430, 40);
	/* The first clock event has 50 left of its 120. */
	CHECK_PIECES(0, {100, 150, "m c", KIND_CLOCK}, {150, 200, "m w", KIND_OFFCPU}, {200, 240, "m c", KIND_CLOCK},
		{240, 300, "m w", KIND_OFFCPU}, {300, 330, "m c", KIND_CLOCK}, {330, 350, "m x", KIND_CLOCK},
		{350, 410, "m v", KIND_OFFCPU}, {410, 430, "m x", KIND_CLOCK});
}
END_TEST

START_TEST(an_interval_may_be_twice_as_long)
{
	start();
	add(KIND_CLOCK, 1, "m a", 100, 100);
	add(KIND_CLOCK, 1, "m b", 300, 100);
	add(KIND_CLOCK, 1, "m c", 600, 100);
	CHECK_PIECES(0, {0, 100, "m a", KIND_CLOCK}, {100, 300, "m b", KIND_CLOCK}, {400, 600, "m c", KIND_CLOCK});
}
END_TEST

START_TEST(threads_are_apart)
{
	start();
	add(KIND_CLOCK, 1, "m a", 100, 100);
	add(KIND_CLOCK, 2, "m b", 100, 20);
	CHECK_PIECES(0, {0, 100, "m a", KIND_CLOCK}, {80, 100, "m b", KIND_CLOCK});
}
END_TEST

START_TEST(a_piece_has_a_stack_that_fits)
{
	start();
	add(KIND_CLOCK, 1, "m a q", 100, 100);
	add(KIND_OFFCPU, 1, "m a w", 200, 100);
	add(KIND_OFFCPU, 1, "m a w", 400, 100);
	add(KIND_CLOCK, 1, "m z", 500, 200);
	add(KIND_OFFCPU, 1, "m b w", 600, 100);
	add(KIND_OFFCPU, 1, "m b w", 800, 100);
	add(KIND_CLOCK, 1, "m z", 900, 200);
	/* "m z" was not called by a, which called both waits; "m a q" was. Neither was by b. */
	CHECK_PIECES(0, {0, 100, "m a q", KIND_CLOCK}, {100, 200, "m a w", KIND_OFFCPU},
		{200, 300, "m a q", KIND_CLOCK}, {300, 400, "m a w", KIND_OFFCPU}, {400, 500, "m z", KIND_CLOCK},
		{500, 600, "m b w", KIND_OFFCPU}, {700, 800, "m b w", KIND_OFFCPU}, {800, 900, "m z", KIND_CLOCK});
}
END_TEST

START_TEST(short_pieces_between_waits_are_left_out)
{
	start();
	add(KIND_CLOCK, 1, "m c", 1000, 1000);
	add(KIND_OFFCPU, 1, "m w", 3000, 1981);
	add(KIND_OFFCPU, 1, "m w", 4000, 980);
	add(KIND_CLOCK, 1, "m c", 4005, 1000);
	/* A fiftieth, 20, is not short; 19 is; and the last one is where the clock event was. */
	CHECK_PIECES(0, {0, 1000, "m c", KIND_CLOCK}, {1019, 3000, "m w", KIND_OFFCPU}, {3000, 3020, "m c", KIND_CLOCK},
		{3020, 4000, "m w", KIND_OFFCPU}, {4000, 4005, "m c", KIND_CLOCK});
}
END_TEST

START_TEST(a_clock_event_without_time_is_counted)
{
	start();
	add(KIND_CLOCK, 1, "m c", 100, 100);
	add(KIND_OFFCPU, 1, "m w", 200, 100);
	add(KIND_CLOCK, 1, "m d", 200, 5);
	CHECK_PIECES(1, {0, 100, "m c", KIND_CLOCK}, {100, 200, "m w", KIND_OFFCPU});
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("clock_pieces");
	TCase *test = tcase_create("clock_pieces");
	tcase_add_test(test, waits_have_the_rest_between_them);
	tcase_add_test(test, an_interval_may_be_twice_as_long);
	tcase_add_test(test, threads_are_apart);
	tcase_add_test(test, a_piece_has_a_stack_that_fits);
	tcase_add_test(test, short_pieces_between_waits_are_left_out);
	tcase_add_test(test, a_clock_event_without_time_is_counted);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
