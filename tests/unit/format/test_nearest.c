/* SPDX-License-Identifier: Apache-2.0 */
/* Names near a word, with distances counted by hand. */
#include "nearest.h"
#include "scratch.h"

static const char *near(const char *wanted, const char *const *names)
{
	static char text[128];
	struct nearest nearest;
	nearest_begin(&nearest, wanted);
	for (; *names; names++)
		nearest_offer(&nearest, *names);
	return nearest_text(&nearest, text, sizeof text);
}

START_TEST(one_mistake_in_three_letters)
{
	static const char *const names[] = {"lines", "limit", "leaks", "lwp_list", 0};
	/* A letter exchanged with its neighbour is one mistake, as one that is wrong, missing or too many. */
	ck_assert_str_eq(near("lnies", names), " (nearest: lines)");
	ck_assert_str_eq(near("liines", names), " (nearest: lines)");
	ck_assert_str_eq(near("LINE", names), " (nearest: lines)");
	ck_assert_str_eq(near("limes", names), " (nearest: lines, limit)");
	ck_assert_str_eq(near("lint", names), " (nearest: lines, limit)");
	ck_assert_str_eq(near("xyz", names), "");
	ck_assert_str_eq(near("", names), "");
}
END_TEST

START_TEST(nearest_first_and_three_at_most)
{
	static const char *const names[] = {"aaaaaa", "aaaaab", "aaaabb", "aaabbb", "aaaaaa", "baaaaa", 0};
	ck_assert_str_eq(near("aaaaab", names), " (nearest: aaaaab, aaaaaa, aaaabb)");
}
END_TEST

START_TEST(parts_come_last)
{
	static const char *const names[] = {"object_list", "thread_list", "last", 0};
	ck_assert_str_eq(near("list", names), " (nearest: last, object_list, thread_list)");
	ck_assert_str_eq(near("li", names), "");
}
END_TEST

START_TEST(long_words_and_small_buffers)
{
	char word[300], text[16];
	struct nearest nearest;
	memset(word, 'a', sizeof word - 1);
	word[sizeof word - 1] = 0;
	nearest_begin(&nearest, word);
	nearest_offer(&nearest, word);
	ck_assert_str_eq(nearest_text(&nearest, text, sizeof text), "");
	nearest_begin(&nearest, "functions");
	nearest_offer(&nearest, word);
	nearest_offer(&nearest, "functions");
	ck_assert_str_eq(nearest_text(&nearest, text, sizeof text), " (nearest: func");
}
END_TEST

int main(void)
{
	const TTest *tests[] = {one_mistake_in_three_letters, nearest_first_and_three_at_most, parts_come_last,
		long_words_and_small_buffers};
	return RUN_TESTS("nearest", tests);
}
