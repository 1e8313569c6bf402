/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks that are moved onto another one: which are, what becomes of them, and what is remembered of that. */
#include "capture.h"
#include "collector.h"
#include "context_tree.h"
#include "joined.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct experiment_directory directory;
static struct event_file stacks;
static uint64_t tallies[TALLY_COUNT];
static char path[64];

static void no_time(struct time_triple *triple)
{
	memset(triple, 0, sizeof *triple);
}

static void begin(void)
{
	char text[4096];
	int code;
	strcpy(path, "/tmp/test_joined_XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(path));
	ck_assert(experiment_directory_open(&directory, path, &code));
	size_t size = stacks_describe(text, sizeof text);
	ck_assert(event_file_create(&stacks, &directory, "stacks", text, (uint32_t)size, no_time, &code));
	collector.tallies = tallies;
	ck_assert(context_tree_start(&stacks));
}

static void end(void)
{
	char command[128];
	snprintf(command, sizeof command, "rm -rf %s", path);
	ck_assert_int_eq(system(command), 0);
}

static uint32_t above(uint32_t stack, uint64_t frame, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		stack = context_child(stack, frame + i);
	return stack;
}

static uint32_t start(void)
{
	return context_root(ROOT_START, 0);
}

START_TEST(frames_inside_of_the_base_stand_on_the_join)
{
	static struct joined joined;
	begin();
	uint32_t outer = above(start(), 0x1000, 3), base = above(start(), 0x2000, 2);
	uint32_t join = context_child(outer, CONTEXT_JOIN | base);
	uint32_t inside = above(base, 0x3000 | CONTEXT_EXACT, 1), beside = above(start(), 0x2000, 1);
	ck_assert_uint_eq(joined_stack(&joined, inside), inside);
	joined_set(&joined, (struct stack_join){base, join}, time_raw());
	uint32_t expected = context_child(join, 0x3000 | CONTEXT_EXACT);
	for (int again = 0; again < 2; again++) {
		ck_assert_uint_eq(joined_stack(&joined, inside), expected);
		ck_assert_uint_eq(joined_stack(&joined, base), base);
		ck_assert_uint_eq(joined_stack(&joined, beside), beside);
		uint32_t later = above(beside, 0x4000, 5); /* a larger id than the base, and not inside of it */
		ck_assert_uint_eq(joined_stack(&joined, later), later);
		ck_assert_uint_eq(joined_stack(&joined, 0), 0);
	}
	joined_set(&joined, (struct stack_join){0}, time_raw());
	ck_assert_uint_eq(joined_stack(&joined, inside), inside);
	end();
}
END_TEST

/* More than are moved in one go, and a count that is no multiple of that. */
START_TEST(deep_stacks_keep_the_order_of_their_frames)
{
	static struct joined joined;
	static const uint32_t depths[] = {1, 63, 64, 65, 127, 128, 129, 1000};
	begin();
	uint32_t base = above(start(), 0x2000, 2), join = context_child(above(start(), 0x1000, 1), CONTEXT_JOIN | base);
	joined_set(&joined, (struct stack_join){base, join}, time_raw());
	for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
		ck_assert_uint_eq(
			joined_stack(&joined, above(base, 0x3000, depths[i])), above(join, 0x3000, depths[i]));
	end();
}
END_TEST

START_TEST(what_is_remembered_is_of_one_join)
{
	static struct joined joined;
	begin();
	uint32_t base = above(start(), 0x2000, 2), inside = above(base, 0x3000, 1);
	uint32_t joins[2];
	for (uint32_t i = 0; i < 2; i++)
		joins[i] = context_child(above(start(), 0x1000 + i, 1), CONTEXT_JOIN | base);
	for (uint32_t i = 0; i < 6; i++) {
		joined_set(&joined, (struct stack_join){base, joins[i % 2]}, time_raw());
		ck_assert_uint_eq(joined_stack(&joined, inside), context_child(joins[i % 2], 0x3000));
		joined_set(&joined, (struct stack_join){0}, time_raw());
		ck_assert_uint_eq(joined_stack(&joined, inside), inside);
	}
	end();
}
END_TEST

START_TEST(stacks_of_before_the_join)
{
	static struct joined joined;
	bool guessed;
	begin();
	uint32_t base = above(start(), 0x2000, 2), inside = above(base, 0x3000, 1);
	uint32_t inner = above(inside, 0x4000, 1), innermost = above(inner, 0x5000, 1);
	uint32_t outside = above(start(), 0x6000, 2);
	uint32_t join = context_child(above(start(), 0x1000, 1), CONTEXT_JOIN | base);
	uint32_t inner_join = context_child(above(start(), 0x1500, 1), CONTEXT_JOIN | inner);
	ck_assert_uint_eq(joined_stack_at(&joined, inside, time_raw(), &guessed), inside);
	ck_assert(!guessed);
	uint64_t before = time_raw() - 1;
	ck_assert_uint_eq(joined_stack_at(&joined, inside, before, &guessed), inside);
	joined_set(&joined, (struct stack_join){base, join}, time_raw());
	ck_assert_uint_eq(joined_stack_at(&joined, inside, time_raw(), &guessed), context_child(join, 0x3000));
	ck_assert(!guessed);
	/* The join is of a later time, and is not the only one. */
	joined_set(&joined, (struct stack_join){inner, inner_join}, time_raw());
	joined_set(&joined, (struct stack_join){0}, time_raw());
	ck_assert_uint_eq(joined_stack_at(&joined, inside, before, &guessed), context_child(join, 0x3000));
	ck_assert(guessed);
	ck_assert_uint_eq(joined_stack_at(&joined, innermost, before, &guessed), context_child(inner_join, 0x5000));
	ck_assert_uint_eq(joined_stack_at(&joined, outside, before, &guessed), outside);
	ck_assert(!guessed);
	ck_assert_uint_eq(joined_stack_at(&joined, base, before, &guessed), base);
	joined_end(&joined, time_raw());
	ck_assert_uint_eq(joined_stack_at(&joined, inside, before, &guessed), inside);
	end();
}
END_TEST

START_TEST(the_file_says_what_stands_on_what)
{
	begin();
	uint32_t base = above(start(), 0x2000, 2), outer = above(start(), 0x1000, 3), parent;
	uint32_t join = context_child(outer, CONTEXT_JOIN | base);
	ck_assert_uint_eq(context_frame(join, &parent), CONTEXT_JOIN | base);
	uint32_t task = context_child(outer, CONTEXT_JOIN_TASK | base);
	ck_assert_uint_ne(task, join);
	ck_assert_uint_eq(context_frame(task, &parent), CONTEXT_JOIN_TASK | base);
	ck_assert_uint_eq(parent, outer);
	char name[128];
	struct stack_node node;
	snprintf(name, sizeof name, "%s/stacks", path);
	FILE *file = fopen(name, "r");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(
		fseek(file, stacks.header_size + BLOCK_HEADER_SIZE + (join - 1) * (long)sizeof node, SEEK_SET), 0);
	ck_assert_uint_eq(fread(&node, sizeof node, 1, file), 1);
	fclose(file);
	ck_assert_uint_eq(node.flags, NODE_JOIN);
	ck_assert_uint_eq(node.pc, base);
	ck_assert_uint_eq(node.parent, outer);
	end();
}
END_TEST

/* A wait's node names the stack that the thread had; what is known of its innermost part later becomes part of that. */
START_TEST(waits_and_what_is_inside_of_them)
{
	begin();
	uint32_t call = above(start(), 0x1000, 3), native = above(call, 0x2000, 2), parent;
	uint64_t at = CONTEXT_WAIT | 5ull << CONTEXT_WAIT_SHIFT;
	uint32_t wait = context_child(call, at | native);
	ck_assert(context_is_wait(context_frame(wait, &parent)));
	ck_assert_uint_eq(parent, call);
	ck_assert(!context_is_wait(context_frame(context_child(call, CONTEXT_JOIN_TASK | native), &parent)));
	ck_assert(!context_is_wait(context_frame(native, &parent)));
	uint64_t kernel[] = {0xffffffff81000010, 0xffffffff81000020};
	uint32_t inside = capture_kernel(wait, kernel, 2);
	ck_assert_uint_eq(context_frame(inside, &parent), at | capture_kernel(native, kernel, 2));
	ck_assert_uint_eq(parent, call);
	ck_assert_uint_eq(context_up_to_call(native, context_frame(call, &parent) & CONTEXT_ADDRESS), call);
	ck_assert_uint_eq(context_up_to_call(native, 0x77777), 0);
	end();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("joined");
	TCase *joined = tcase_create("joined");
	tcase_add_test(joined, frames_inside_of_the_base_stand_on_the_join);
	tcase_add_test(joined, deep_stacks_keep_the_order_of_their_frames);
	tcase_add_test(joined, what_is_remembered_is_of_one_join);
	tcase_add_test(joined, stacks_of_before_the_join);
	tcase_add_test(joined, the_file_says_what_stands_on_what);
	tcase_add_test(joined, waits_and_what_is_inside_of_them);
	suite_add_tcase(suite, joined);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
