/* SPDX-License-Identifier: Apache-2.0 */
/* The picture's frames stand where arithmetic puts them, and its bytes depend on nothing but the tree. */
#include "fake.h"
#include "flamegraph.h"
#include "flamegraph_layout.h"

#include <check.h>

const char *resolver_object_name(struct resolver *resolver, uint32_t object)
{
	(void)resolver;
	return fake.objects[object].path;
}
const char *resolver_file(const struct resolver *resolver, uint32_t file)
{
	(void)resolver;
	(void)file;
	return "";
}

static const char *short_name(const void *context, uint32_t function)
{
	(void)context;
	return fake.functions[function].short_name;
}

static const char *title = "t <&> \x01";
static struct picture_setting setting;

static char *draw(struct error *error)
{
	struct stack_sums *sums = stack_sums_compute(&fake.data, metrics_builtin(), 0, 0);
	struct path_tree *tree = path_tree_build(0, &fake.data, sums, &(struct stack_view){.mode = VIEW_USER});
	struct path_tree *merged = path_tree_merge(tree);
	char *text = 0;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	struct flamegraph_options options = {
		.setting = &setting, .title = title, .subtitle = "s", .naming = {.name = short_name}};
	bool drawn = flamegraph_write(file, merged, 0, 0, &options, error);
	fclose(file);
	path_tree_free(merged);
	path_tree_free(tree);
	stack_sums_free(sums);
	if (drawn)
		return text;
	free(text);
	return 0;
}

/* The n-th (from 1) frame with this name; its x and width as drawn. */
static const char *find_frame(const char *picture, const char *name, int n, double *x, double *width)
{
	char pattern[128];
	snprintf(pattern, sizeof pattern, "<title>%s (", name);
	const char *found = picture;
	for (; n; n--) {
		found = strstr(found, pattern);
		if (!found)
			return 0;
		found += strlen(pattern);
	}
	ck_assert_int_eq(sscanf(strstr(found, "<rect "), "<rect x=\"%lf\" width=\"%lf\"", x, width), 2);
	return found;
}

static void expect_frame(const char *picture, const char *name, int n, double x, double width)
{
	double real_x, real_width;
	ck_assert_msg(find_frame(picture, name, n, &real_x, &real_width) != 0, "no frame %d of %s", n, name);
	ck_assert_double_eq_tol(real_x, x, 0.051);
	ck_assert_double_eq_tol(real_width, width, 0.051);
}

static void expect_absent(const char *picture, const char *name, int n)
{
	double x, width;
	ck_assert(!find_frame(picture, name, n, &x, &width));
}

/* The document's example E: milliseconds of main, main;foo1, main;foo1;bar, main;foo2, main;foo2;bar. */
static void example_e(void)
{
	fake_start();
	fake_work("main", 2000);
	fake_work("main foo1", 1500);
	fake_work("main foo1 bar", 2500);
	fake_work("main foo2", 500);
	fake_work("main foo2 bar", 2500);
}

START_TEST(a_width_is_the_share_of_the_inclusive_value)
{
	example_e();
	struct error error;
	char *picture = draw(&error);
	expect_frame(picture, "&lt;Total&gt;", 1, 10, 1180);
	expect_frame(picture, "main", 1, 10, 1180);
	expect_frame(picture, "foo1", 1, 10, 524.4);
	expect_frame(picture, "bar", 1, 10, 327.8);
	expect_frame(picture, "foo2", 1, 534.4, 393.3);
	expect_frame(picture, "bar", 2, 534.4, 327.8);
	expect_absent(picture, "bar", 3);
	free(picture);
}
END_TEST

START_TEST(equal_neighbours_merge_whatever_stands_between)
{
	fake_start();
	fake_work("main", 5);
	fake_work("main1 x", 3);
	fake_work("main y", 2);
	struct error error;
	char *picture = draw(&error);
	expect_frame(picture, "main", 1, 10, 826);
	expect_absent(picture, "main", 2);
	expect_frame(picture, "main1", 1, 836, 354);
	free(picture);
}
END_TEST

START_TEST(the_order_of_events_does_not_matter)
{
	example_e();
	struct error error;
	char *first = draw(&error);
	fake_start();
	fake_work("main foo2 bar", 2500);
	fake_work("main foo2", 500);
	fake_work("main foo1 bar", 1000);
	fake_work("main", 2000);
	fake_work("main foo1", 1500);
	fake_work("main foo1 bar", 1500);
	char *second = draw(&error);
	ck_assert_str_eq(first, second);
	free(first);
	free(second);
}
END_TEST

START_TEST(thin_frames_are_left_out_and_counted)
{
	fake_start();
	fake_work("a", 999999);
	fake_work("b", 100);
	fake_work("c", 1);
	struct error error;
	char *picture = draw(&error);
	expect_frame(picture, "&lt;Total&gt;", 1, 10, 1180);
	expect_frame(picture, "b", 1, 1189.9, 0.1);
	expect_absent(picture, "c", 1);
	ck_assert(strstr(picture, ">1 frame, 0.0001 %, not drawn"));
	free(picture);
}
END_TEST

START_TEST(thin_neighbours_are_one_frame_if_together_they_show)
{
	fake_start();
	fake_work("a", 990000);
	char name[32];
	for (int i = 0; i < 200; i++) {
		snprintf(name, sizeof name, "t%03d", i);
		fake_work(name, 50);
	}
	struct error error;
	char *picture = draw(&error);
	expect_frame(picture, "(200 thin frames)", 1, 1178.2, 11.8);
	free(picture);
}
END_TEST

START_TEST(names_are_escaped)
{
	fake_start();
	fake_work("op", 1);
	uint32_t function = fake_function_of("op");
	fake.functions[function].short_name = "op<\"&\x02\xff\xc3\xa9>";
	struct error error;
	char *picture = draw(&error);
	ck_assert(strstr(picture, "<title>op&lt;&quot;&amp;\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9&gt; ("));
	ck_assert(strstr(picture, ">t &lt;&amp;&gt; \xef\xbf\xbd<"));
	free(picture);
}
END_TEST

/* A command of any length is cut to what the line has room for: (1200 - 380) / 9.64 characters. */
START_TEST(a_long_title_is_cut)
{
	char text[301] = "", expected[128];
	memset(text, 'x', 300);
	title = text;
	example_e();
	struct error error;
	char *picture = draw(&error);
	snprintf(expected, sizeof expected, ">%.84s\xe2\x80\xa6<", text);
	ck_assert(strstr(picture, expected));
	title = "t <&> \x01";
	free(picture);
}
END_TEST

START_TEST(nothing_recorded_is_an_error)
{
	fake_start();
	struct error error;
	ck_assert(!draw(&error));
	ck_assert(strstr(error.text, "Total CPU Time"));
}
END_TEST

static int by_index(const void *context, uint32_t function, uint32_t other)
{
	(void)context;
	return function < other ? -1 : function > other;
}

static void check_tree(unsigned seed)
{
	srand(seed);
	fake_start();
	for (int i = 0; i < 40; i++) {
		char stack[256] = "m";
		for (int depth = rand() % 8; depth; depth--)
			sprintf(stack + strlen(stack), " f%d", rand() % 5);
		fake_work(stack, (uint64_t)(rand() % 1000) + 1);
	}
	struct stack_sums *sums = stack_sums_compute(&fake.data, metrics_builtin(), 0, 0);
	struct path_tree *tree = path_tree_build(0, &fake.data, sums, &(struct stack_view){.mode = VIEW_USER});
	struct path_tree *merged = path_tree_merge(tree);
	struct flamegraph_layout layout;
	flamegraph_lay_out(&layout, &(struct flamegraph_plan){.tree = merged, .order = by_index});
	ck_assert_uint_eq(layout.count, merged->count);
	for (uint32_t i = 1; i < layout.count; i++) {
		const struct flamegraph_frame *frame = &layout.frames[i], *under = 0;
		for (uint32_t j = 0; j < i; j++)
			if (layout.frames[j].node == merged->nodes[frame->node].parent)
				under = &layout.frames[j];
		ck_assert(under && under->depth + 1 == frame->depth && frame->start >= under->start &&
			  frame->start + frame->value <= under->start + under->value);
		for (uint32_t j = 0; j < i; j++) /* side by side, never over each other */
			ck_assert(layout.frames[j].depth != frame->depth ||
				  layout.frames[j].start + layout.frames[j].value <= frame->start ||
				  layout.frames[j].start >= frame->start + frame->value);
	}
	flamegraph_layout_free(&layout);
	path_tree_free(merged);
	path_tree_free(tree);
	stack_sums_free(sums);
}

START_TEST(a_callee_is_inside_its_caller)
{
	for (unsigned seed = 1; seed <= 300; seed++)
		check_tree(seed);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("flamegraph");
	TCase *tests = tcase_create("picture");
	tcase_add_test(tests, a_width_is_the_share_of_the_inclusive_value);
	tcase_add_test(tests, equal_neighbours_merge_whatever_stands_between);
	tcase_add_test(tests, the_order_of_events_does_not_matter);
	tcase_add_test(tests, thin_frames_are_left_out_and_counted);
	tcase_add_test(tests, thin_neighbours_are_one_frame_if_together_they_show);
	tcase_add_test(tests, names_are_escaped);
	tcase_add_test(tests, a_long_title_is_cut);
	tcase_add_test(tests, nothing_recorded_is_an_error);
	tcase_add_test(tests, a_callee_is_inside_its_caller);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
