// SPDX-License-Identifier: Apache-2.0
// Charts by time lose their shortest frames alone where there are too many, and no time.
#include "fake.h"
#include "time_chart.h"

#include <check.h>

enum { MOST = 4000 };

static struct metric_event events[MOST];
static size_t event_count;

static void add(const char *stack, uint64_t value)
{
	fake_work(stack, 1);
	events[event_count] =
		(struct metric_event){.value = value, .stack = fake_stack(stack), .order = (uint32_t)event_count};
	event_count++;
}

/* A chart of counts, one after another. */
static struct time_chart *chart_of(void)
{
	static const struct metric row = {.name = "n", .title = "N", .unit = METRIC_COUNT, .kind = KIND_HEAP};
	struct stack_sums *sums = stack_sums_compute(&fake.data, metrics_builtin(), 0, 0);
	struct path_tree *tree = path_tree_build(0, &fake.data, sums, &(struct stack_view){.mode = VIEW_USER});
	struct time_chart *chart = time_chart_create(
		&(struct metric_events){events, event_count}, &row, tree, &(struct path_shape){false, false});
	path_tree_free(tree);
	stack_sums_free(sums);
	return chart;
}

START_TEST(the_shortest_are_taken_out)
{
	static const struct {
		const char *name;
		uint64_t start, length, own;
	} left[] = {{"<Total>", 0, 156, 0}, {"<Total>", 0, 156, 0}, {"m", 0, 156, 3}, {"a", 0, 100, 100},
		{"a", 101, 50, 50}, {"d", 153, 3, 3}};
	fake_start();
	event_count = 0;
	add("m a", 100);
	add("m b", 1);
	add("m a", 50);
	add("m c", 2);
	add("m d", 3);
	struct time_chart *chart = chart_of();
	ck_assert_uint_eq(chart->tree->count, 8);
	ck_assert_uint_eq(chart->width, 156);
	time_chart_thin_out(chart, 8);
	ck_assert_uint_eq(chart->thinned, 0);
	time_chart_thin_out(chart, 5);
	ck_assert_uint_eq(chart->thinned, 2);
	ck_assert_uint_eq(chart->tree->count, 6);
	for (uint32_t node = 0; node < 6; node++) {
		const struct path_node *own = &chart->tree->nodes[node];
		ck_assert_str_eq(fake.names[own->frame.function], left[node].name);
		ck_assert_uint_eq(chart->starts[node], left[node].start);
		ck_assert_uint_eq(chart->tree->inclusive[0][node], left[node].length);
		ck_assert_uint_eq(chart->tree->exclusive[0][node], left[node].own);
	}
	ck_assert_uint_eq(chart->tree->depth, 4);
	time_chart_free(chart);
}
END_TEST

static void add_by_chance(void)
{
	char stack[64] = "m";
	for (int depth = rand() % 5; depth; depth--)
		sprintf(stack + strlen(stack), " f%d", rand() % 3);
	add(stack, 1 + (uint64_t)(rand() % (rand() % 2 ? 4 : 3000)));
}

/* The greatest length of what was taken out is at most so much more than the least of what is left: classes have a sixteenth. */
static void check_lengths(const struct path_tree *tree, const uint64_t *lengths, const bool *is_left, uint32_t count)
{
	uint64_t longest = 0, shortest = UINT64_MAX;
	for (uint32_t node = 0; node < count; node++)
		if (!is_left[node] && lengths[node] > longest)
			longest = lengths[node];
	for (uint32_t node = 0; node < tree->count; node++)
		if (tree->nodes[node].parent && tree->inclusive[0][node] < shortest)
			shortest = tree->inclusive[0][node];
	ck_assert_uint_le(longest, shortest);
}

static void check_chart(unsigned seed)
{
	srand(seed);
	fake_start();
	event_count = 0;
	for (int i = 0; i < 60; i++)
		add_by_chance();
	struct time_chart *chart = chart_of();
	uint32_t count = chart->tree->count, most = (uint32_t)(rand() % 60) + 1, at = 0;
	uint64_t *lengths = malloc(count * sizeof *lengths), *starts = malloc(count * sizeof *starts);
	bool *is_left = calloc(count, sizeof *is_left);
	memcpy(lengths, chart->tree->inclusive[0], count * sizeof *lengths);
	memcpy(starts, chart->starts, count * sizeof *starts);
	time_chart_thin_out(chart, most);
	const struct path_tree *tree = chart->tree;
	ck_assert_uint_eq(tree->count + chart->thinned, count);
	ck_assert_uint_le(tree->count, count <= most ? count : most + 2);
	/* Nodes that are left are as they were, in the same order. */
	for (uint32_t node = 0; node < tree->count; node++) {
		while (at < count && (starts[at] != chart->starts[node] || lengths[at] != tree->inclusive[0][node]))
			at++;
		ck_assert_uint_lt(at, count);
		is_left[at++] = true;
		ck_assert(!node || tree->nodes[node].parent < node);
	}
	ck_assert_uint_eq(tree->inclusive[0][0], lengths[0]);
	check_lengths(tree, lengths, is_left, count);
	free(lengths);
	free(starts);
	free(is_left);
	time_chart_free(chart);
}

START_TEST(others_stay_as_they_are)
{
	for (unsigned seed = 1; seed <= 200; seed++)
		check_chart(seed);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("time_chart");
	TCase *test = tcase_create("time_chart");
	tcase_add_test(test, the_shortest_are_taken_out);
	tcase_add_test(test, others_stay_as_they_are);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
