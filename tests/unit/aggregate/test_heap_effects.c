/* SPDX-License-Identifier: Apache-2.0 */
/* The effect of each state of heap events on the program's memory. */
#include "heap_replay.h"

#include <check.h>
#include <string.h>

/* A state that somebody appends to the table must be given an effect: otherwise it would be no allocation without a word. */
START_TEST(each_state_has_an_effect)
{
	unsigned count, seen = 0;
	const struct state_row *rows = state_rows(&count);
	for (unsigned i = 0; i < count; i++) {
		if (rows[i].kind != KIND_HEAP || strcmp(rows[i].field, "what") != 0)
			continue;
		seen++;
		ck_assert_msg(heap_effect_of(rows[i].value) != HEAP_UNKNOWN, "heap state %s", rows[i].name);
		ck_assert(!heap_allocates(rows[i].value, 12));
	}
	ck_assert_uint_ge(seen, 13);
	ck_assert(heap_effect_of(1u << 20) == HEAP_UNKNOWN && !heap_allocates(1u << 20, 0));
}
END_TEST

/* By the titles of kinds.def, which say what was allocated and what was mapped. */
START_TEST(allocations_are_what_their_titles_say)
{
	unsigned count;
	const struct state_row *rows = state_rows(&count);
	for (unsigned i = 0; i < count; i++) {
		if (rows[i].kind != KIND_HEAP || strcmp(rows[i].field, "what") != 0)
			continue;
		bool block = strstr(rows[i].title, "block allocated");
		bool range = strstr(rows[i].title, "memory mapped") || strstr(rows[i].title, "got by brk");
		ck_assert_msg(heap_allocates(rows[i].value, 0) == (block || range), "%s", rows[i].title);
		ck_assert_msg((heap_effect_of(rows[i].value) == HEAP_NEW_RANGE) == range, "%s", rows[i].title);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("heap_effects");
	TCase *test = tcase_create("heap_effects");
	tcase_add_test(test, each_state_has_an_effect);
	tcase_add_test(test, allocations_are_what_their_titles_say);
	suite_add_tcase(suite, test);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
