/* SPDX-License-Identifier: Apache-2.0 */
/* Exclusive, inclusive and attributed sums are exactly what the manual's figure and definitions say. */
#include "callers_callees.h"
#include "equations.h"
#include "fake.h"
#include "fragment.h"
#include "key_sums.h"

#include <check.h>

static struct stack_sums *sums;
static struct path_tree *tree, *merged;
static struct call_graph *graph;
static struct key_sums *functions;

static void compute_view(const struct stack_view *view)
{
	sums = stack_sums_compute(&fake.data, metrics_builtin(), 0, 0);
	tree = path_tree_build(0, &fake.data, sums, view);
	merged = path_tree_merge(tree);
	graph = call_graph_compute(merged, fake.function_count);
	functions = key_sums_compute(merged, fake.function_count, key_function, 0);
	struct equations equations = equations_check(0, &fake.data, sums, view);
	ck_assert_msg(equations.checked > 0 && !equations.violated, "%s", equations.first);
}

static void compute(enum view_mode mode)
{
	compute_view(&(struct stack_view){.mode = mode});
}

static void discard(void)
{
	key_sums_free(functions);
	call_graph_free(graph);
	path_tree_free(merged);
	path_tree_free(tree);
	stack_sums_free(sums);
}

static void expect_sums(const char *name, uint64_t exclusive, uint64_t inclusive)
{
	uint32_t f = fake_function_of(name);
	ck_assert_uint_eq(functions->exclusive[0][f], exclusive);
	ck_assert_uint_eq(functions->inclusive[0][f], inclusive);
}

enum { ABSENT = 999999 };
static uint64_t attributed(const struct attributed *edges, const uint32_t *from, uint32_t centre, uint32_t other)
{
	for (uint32_t e = from[centre]; e < from[centre + 1]; e++)
		if (edges[e].other == other)
			return edges[e].sums[0];
	return ABSENT;
}
static uint64_t from_caller(const char *centre, const char *caller)
{
	return attributed(graph->callers, graph->callers_from, fake_function_of(centre), fake_function_of(caller));
}
static uint64_t to_callee(const char *centre, const char *callee)
{
	return attributed(graph->callees, graph->callees_from, fake_function_of(centre), fake_function_of(callee));
}

/* A run of functions on every path, by hand: the one nearest to the leaf, and what stands beside it. */
static void count_by_hand(const char *const *paths, const uint64_t *weights, unsigned count, const char *run,
	const char *neighbour, bool caller, uint64_t *sum, uint64_t *own)
{
	*sum = *own = 0;
	for (unsigned p = 0; p < count; p++) {
		char path[128], wanted[64];
		snprintf(path, sizeof path, " <Total> %s ", paths[p]);
		snprintf(wanted, sizeof wanted, " %s ", run);
		const char *last = 0;
		for (const char *at = path; (at = strstr(at, wanted)); at++)
			last = at;
		if (!last)
			continue;
		const char *after = last + strlen(wanted);
		const char *before = last;
		while (before > path && before[-1] != ' ')
			before--;
		size_t length = strlen(neighbour);
		if (!*after)
			*own += weights[p];
		if (caller ? (size_t)(last - before) == length && !strncmp(before, neighbour, length)
			   : !strncmp(after, neighbour, length) && after[length] == ' ')
			*sum += weights[p];
	}
}

START_TEST(fragments)
{
	static const char *const paths[] = {"m a b c", "m a b", "m b c", "m a b a b", "m a b a b c", "a b b b",
		"m a a a b", "a", "b a", "m c a b c a b a", "a b a b a b"};
	static const char *const runs[] = {
		"a", "b", "c", "m", "a b", "b c", "b a", "a b a", "a b a b", "b b", "a a", "m a b", "c a b c", "m m"};
	static const char *const names[] = {"<Total>", "m", "a", "b", "c"};
	enum { PATHS = sizeof paths / sizeof *paths };
	uint64_t weights[PATHS];
	fake_start();
	for (unsigned p = 0; p < PATHS; p++)
		fake_work(paths[p], weights[p] = 1ull << 3 * p);
	compute(VIEW_USER);
	for (unsigned r = 0; r < sizeof runs / sizeof *runs; r++) {
		uint32_t run[8], count = 0;
		char copy[64], *rest = strcpy(copy, runs[r]), *word;
		while ((word = strsep(&rest, " ")))
			run[count++] = fake_function_of(word);
		struct fragment *fragment = fragment_compute(merged, run, count, fake.function_count);
		uint64_t all = fragment->own[0];
		for (uint32_t c = 0; c < fragment->callee_count; c++)
			all += fragment->callees[c].sums[0];
		ck_assert_uint_eq(fragment->whole[0], all);
		for (unsigned n = 0; n < sizeof names / sizeof *names; n++) {
			uint64_t callers = 0, callees = 0, sum, own;
			uint32_t name = fake_function_of(names[n]);
			for (uint32_t c = 0; c < fragment->caller_count; c++)
				callers += fragment->callers[c].other == name ? fragment->callers[c].sums[0] : 0;
			for (uint32_t c = 0; c < fragment->callee_count; c++)
				callees += fragment->callees[c].other == name ? fragment->callees[c].sums[0] : 0;
			count_by_hand(paths, weights, PATHS, runs[r], names[n], true, &sum, &own);
			ck_assert_msg(callers == sum, "%s called by %s: %zx, not %zx", runs[r], names[n],
				(size_t)callers, (size_t)sum);
			ck_assert_uint_eq(fragment->own[0], own);
			count_by_hand(paths, weights, PATHS, runs[r], names[n], false, &sum, &own);
			ck_assert_msg(callees == sum, "%s calling %s: %zx, not %zx", runs[r], names[n], (size_t)callees,
				(size_t)sum);
		}
		fragment_free(fragment);
	}
	discard();
}
END_TEST

/* A load object that is not shown: lib calls itself, and calls back into the program, which calls lib again. */
START_TEST(hidden_objects)
{
	enum object_expansion expansion[16] = {OBJECT_SHOWN};
	for (enum object_expansion as = OBJECT_SHOWN; as <= OBJECT_API; as++) {
		fake_start();
		fake_work("main lib:a lib:b lib:c", 10);
		fake_work("main lib:a back lib:b", 5);
		fake_work("main lib:a.2", 3);
		fake_work("main g", 2);
		fake_work("lib:c", 1);
		expansion[fake_object("lib")] = as;
		compute_view(&(struct stack_view){.mode = VIEW_USER, .expansion = expansion});
		expect_sums("main", 0, 20);
		expect_sums("g", 2, 2);
		expect_sums("back", 0, 5);
		switch (as) {
		case OBJECT_SHOWN:
			expect_sums("a", 3, 18);
			expect_sums("b", 5, 15);
			expect_sums("c", 11, 11);
			break;
		case OBJECT_HIDDEN:
			expect_sums("<lib>", 10 + 5 + 3 + 1, 10 + 5 + 3 + 1);
			ck_assert_uint_eq(from_caller("<lib>", "main"), 13);
			ck_assert_uint_eq(from_caller("<lib>", "back"), 5);
			expect_sums("a", 0, 0);
			break;
		default:
			expect_sums("a", 10 + 3, 18);
			expect_sums("b", 5, 5);
			expect_sums("c", 1, 1);
		}
		discard();
	}
}
END_TEST

START_TEST(figure_2_1)
{
	fake_start();
	fake_work("main", 2);
	fake_work("main A C", 2);
	fake_work("main A C.1 E", 4);
	fake_work("main A C.2 F", 2);
	fake_work("main A C.2 F G", 2);
	fake_work("main B", 5);
	for (int call = 1; call <= 2; call++) {
		char text[64];
		snprintf(text, sizeof text, "main B.%d C", call);
		fake_work(text, call); /* 1.5 units twice: 1 and 2 here, their sum is what counts */
		snprintf(text, sizeof text, "main B.%d C.1 E", call);
		fake_work(text, 3);
		snprintf(text, sizeof text, "main B.%d C.2 F", call);
		fake_work(text, call);
		snprintf(text, sizeof text, "main B.%d C.2 F G", call);
		fake_work(text, 3 - call);
	}
	compute(VIEW_USER);
	expect_sums("<Total>", 0, 32);
	expect_sums("main", 2, 32);
	expect_sums("A", 0, 10);
	expect_sums("B", 5, 20);
	expect_sums("C", 5, 25);
	expect_sums("E", 10, 10);
	expect_sums("F", 5, 10);
	expect_sums("G", 5, 5);
	ck_assert_uint_eq(from_caller("main", "<Total>"), 32);
	ck_assert_uint_eq(to_callee("main", "A"), 10);
	ck_assert_uint_eq(to_callee("main", "B"), 20);
	ck_assert_uint_eq(from_caller("C", "A"), 10);
	ck_assert_uint_eq(from_caller("C", "B"), 15);
	ck_assert_uint_eq(to_callee("C", "E"), 10);
	ck_assert_uint_eq(to_callee("C", "F"), 10);
	ck_assert_uint_eq(to_callee("F", "G"), 5);
	discard();
}
END_TEST

START_TEST(a_recursion_that_works_in_its_last_call)
{
	fake_start();
	fake_work("main f f.1 f.2", 7);
	compute(VIEW_USER);
	expect_sums("f", 7, 7);
	expect_sums("main", 0, 7);
	ck_assert_uint_eq(from_caller("f", "f"), 7);
	ck_assert_uint_eq(from_caller("f", "main"), 0);
	ck_assert_uint_eq(to_callee("main", "f"), 7);
	ck_assert_uint_eq(to_callee("f", "f"), ABSENT);
	discard();
}
END_TEST

START_TEST(a_recursion_that_works_on_every_level)
{
	fake_start();
	fake_work("main f", 1);
	fake_work("main f f", 2);
	fake_work("main f f f", 4);
	fake_work("main f f f leaf", 8);
	fake_work("main f leaf", 16);
	compute(VIEW_USER);
	expect_sums("f", 7, 31);
	ck_assert_uint_eq(from_caller("f", "main"), 1 + 16);
	ck_assert_uint_eq(from_caller("f", "f"), 2 + 4 + 8);
	ck_assert_uint_eq(to_callee("f", "leaf"), 24);
	ck_assert_uint_eq(to_callee("main", "f"), 31);
	discard();
}
END_TEST

START_TEST(a_mutual_recursion)
{
	fake_start();
	fake_work("main f", 1);
	fake_work("main f g", 2);
	fake_work("main f g f", 4);
	fake_work("main f g f g", 8);
	compute(VIEW_USER);
	expect_sums("f", 5, 15);
	expect_sums("g", 10, 14);
	ck_assert_uint_eq(from_caller("f", "main"), 1 + 2);
	ck_assert_uint_eq(from_caller("f", "g"), 4 + 8);
	ck_assert_uint_eq(to_callee("f", "g"), 2 + 8);
	ck_assert_uint_eq(from_caller("g", "f"), 14);
	ck_assert_uint_eq(to_callee("g", "f"), 4);
	ck_assert_uint_eq(to_callee("main", "f"), 15);
	discard();
}
END_TEST

START_TEST(artificial_functions_stand_where_walks_ended)
{
	fake_start();
	fake_work("<truncated> deep leaf", 3);
	fake_work("<failed> lost", 5);
	fake_work("<failed>", 1);
	fake_work("", 7);
	fake_work("<start>", 11);
	fake_work("main", 13);
	compute(VIEW_USER);
	expect_sums("<Truncated-stack>", 0, 3);
	expect_sums("<Stack-unwind-failed>", 1, 6);
	expect_sums("<no stack>", 18, 18);
	ck_assert_uint_eq(from_caller("deep", "<Truncated-stack>"), 3);
	ck_assert_uint_eq(from_caller("<no stack>", "<Total>"), 18);
	ck_assert_uint_eq(sums->total[0], 40);
	discard();
}
END_TEST

START_TEST(inlined_functions_are_frames_but_not_of_the_machine)
{
	fake_start();
	fake_work("main f>g>h", 3);
	fake_work("main f>g k", 4);
	compute(VIEW_USER);
	expect_sums("h", 3, 3);
	expect_sums("g", 0, 7);
	expect_sums("f", 0, 7);
	ck_assert_uint_eq(from_caller("k", "g"), 4);
	discard();
	compute(VIEW_MACHINE);
	expect_sums("f", 3, 7);
	expect_sums("g", 0, 0);
	ck_assert_uint_eq(from_caller("k", "f"), 4);
	discard();
}
END_TEST

START_TEST(load_objects_are_sums_of_their_functions)
{
	fake_start();
	fake_work("main lib:f lib:g", 3);
	fake_work("main lib:f callback lib:f", 4);
	fake_work("main", 5);
	compute(VIEW_USER);
	struct key_sums *objects = key_sums_compute(tree, fake.data.object_count, key_object, 0);
	ck_assert_uint_eq(objects->exclusive[0][fake_object("lib")], 7);
	ck_assert_uint_eq(objects->inclusive[0][fake_object("lib")], 7);
	ck_assert_uint_eq(objects->exclusive[0][fake_object("a.out")], 5);
	ck_assert_uint_eq(objects->inclusive[0][fake_object("a.out")], 12);
	key_sums_free(objects);
	discard();
}
END_TEST

START_TEST(what_was_guessed_stays_marked)
{
	fake_start();
	uint32_t root = fake_child(0, ROOT_START, STACK_ROOT);
	uint32_t guessed = fake_child(root, fake_address("main"), STACK_HEURISTIC);
	fake_event(KIND_CLOCK, fake_child(guessed, fake_address("f"), STACK_EXACT), 1, 5, 0);
	fake_event(KIND_CLOCK, fake_child(root, fake_address("g"), STACK_EXACT), 1, 6, 0);
	fake_event(KIND_CLOCK, fake_child(root, fake_address("g.1"), STACK_HEURISTIC), 1, 7, 0);
	compute(VIEW_EXPERT);
	ck_assert_uint_eq(merged->count, 4);
	for (uint32_t node = 1; node < merged->count; node++) {
		const char *name = resolver_function(0, merged->nodes[node].frame.function)->mangled;
		ck_assert_int_eq(merged->nodes[node].heuristic, strcmp(name, "f") != 0);
	}
	discard();
}
END_TEST

START_TEST(the_equations_hold_on_random_stacks)
{
	srand((unsigned)_i + 1);
	fake_start();
	for (int stack = 0; stack < 200; stack++) {
		char text[256] = "main";
		for (int depth = rand() % 12; depth > 0; depth--) {
			size_t used = strlen(text);
			snprintf(text + used, sizeof text - used, rand() % 4 ? " %c.%d" : " %c>x%d", 'a' + rand() % 5,
				rand() % 3);
		}
		fake_work(text, (uint64_t)rand() % 1000);
	}
	compute(VIEW_USER);
	discard();
	compute(VIEW_MACHINE);
	discard();
}
END_TEST

START_TEST(a_stack_of_65536_frames)
{
	fake_start();
	uint32_t stack = fake_child(0, ROOT_START, STACK_ROOT), address = fake_address("f");
	fake.stacks[2] = (struct stack){stack, fake_address("main"), 0, 0};
	for (uint32_t depth = 1; depth < 65536; depth++)
		fake.stacks[depth + 2] = (struct stack){depth + 1, address, 0, 0};
	fake.data.stack_count = 65536 + 2;
	fake_event(KIND_CLOCK, 65537, 1, 9, 0);
	fake_event(KIND_CLOCK, 3, 1, 1, 0);
	compute(VIEW_USER);
	ck_assert_uint_eq(merged->depth, 65537);
	expect_sums("f", 10, 10);
	ck_assert_uint_eq(from_caller("f", "f"), 9);
	ck_assert_uint_eq(from_caller("f", "main"), 1);
	discard();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("attributed");
	TCase *tests = tcase_create("attributed");
	tcase_add_test(tests, figure_2_1);
	tcase_add_test(tests, hidden_objects);
	tcase_add_test(tests, fragments);
	tcase_add_test(tests, a_recursion_that_works_in_its_last_call);
	tcase_add_test(tests, a_recursion_that_works_on_every_level);
	tcase_add_test(tests, a_mutual_recursion);
	tcase_add_test(tests, artificial_functions_stand_where_walks_ended);
	tcase_add_test(tests, inlined_functions_are_frames_but_not_of_the_machine);
	tcase_add_test(tests, load_objects_are_sums_of_their_functions);
	tcase_add_test(tests, what_was_guessed_stays_marked);
	tcase_add_loop_test(tests, the_equations_hold_on_random_stacks, 0, 20);
	tcase_add_test(tests, a_stack_of_65536_frames);
	tcase_set_timeout(tests, 60);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
