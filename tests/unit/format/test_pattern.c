/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns against libc's regexec, and what only we refuse. */
#include "pattern.h"
#include "scratch.h"
#include <regex.h>

static unsigned long long state = 20261122;

static unsigned random_below(unsigned limit)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned)(state >> 33) % limit;
}

/* Half of it letters that texts have, half of it signs of patterns. */
static void make_pattern(char *pattern)
{
	static const char signs[] = "ab()|*+?.[]{}1,^$-\\";
	unsigned length = random_below(10);
	for (unsigned i = 0; i < length; i++)
		pattern[i] = random_below(2) ? "ab"[random_below(2)] : signs[random_below(sizeof signs - 1)];
	pattern[length] = 0;
}

static void make_text(char *text)
{
	unsigned length = random_below(7);
	for (unsigned i = 0; i < length; i++)
		text[i] = "ab1-"[random_below(4)];
	text[length] = 0;
}

/* libc's search for the pattern as the whole of a text. */
static bool compile_whole(regex_t *whole, const char *pattern)
{
	char anchored[32];
	snprintf(anchored, sizeof anchored, "^(%s)$", pattern);
	return regcomp(whole, pattern, REG_EXTENDED | REG_NOSUB) == 0 &&
	       (regfree(whole), regcomp(whole, anchored, REG_EXTENDED | REG_NOSUB) == 0);
}

START_TEST(matches_what_libc_matches)
{
	unsigned compared = 0;
	for (unsigned i = 0; i < 50000; i++) {
		char pattern[16], text[8];
		regex_t whole;
		make_pattern(pattern);
		if (pattern_error(pattern) || !compile_whole(&whole, pattern))
			continue;
		for (unsigned k = 0; k < 10; k++, compared++) {
			make_text(text);
			ck_assert_msg(pattern_matches(pattern, text) == (regexec(&whole, text, 0, 0, 0) == 0),
				"`%s' on `%s'", pattern, text);
		}
		regfree(&whole);
	}
	ck_assert_uint_gt(compared, 100000);
}
END_TEST

START_TEST(names_and_lineages)
{
	ck_assert(pattern_matches("gcc|cc1(plus)?|as", "cc1plus"));
	ck_assert(!pattern_matches("gcc|cc1(plus)?|as", "cc1plusplus"));
	ck_assert(!pattern_matches("cc1", "xcc1"));
	ck_assert(pattern_matches(".*_x[[:digit:]]*", "_f1_x12"));
	ck_assert(pattern_matches("(_f1_x1)+", "_f1_x1_f1_x1"));
	ck_assert(!pattern_matches("", "a"));
	ck_assert(pattern_matches("python3\\.11", "python3.11"));
	ck_assert(!pattern_matches("python3\\.11", "python3x11"));
	ck_assert(pattern_matches("[^_]+(_[fx][0-9]{1,3}){2}", "a_f1_x200"));
	ck_assert(pattern_matches("a{2,}b{0,1}c{3}", "aaaccc"));
}
END_TEST

START_TEST(what_is_wrong_is_said)
{
	static const char *const wrong[] = {"(", ")", "a(b", "a)b", "[a", "*", "a|*b", "a{", "a{2", "a{2,1}", "a{256}",
		"\\", "(a)\\1", "\\w", "[b-a]", "[[.a.]]", "[[=a=]]", "[[:no:]]", "((((((((((a))))))))))", "a*****"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		ck_assert_msg(pattern_error(wrong[i]) != 0, "accepted: %s", wrong[i]);
		ck_assert(!pattern_matches(wrong[i], "a"));
	}
}
END_TEST

START_TEST(long_texts_and_nested_repetitions_end)
{
	static char text[PATTERN_TEXT_MAX + 2];
	memset(text, 'a', PATTERN_TEXT_MAX);
	ck_assert(pattern_matches("a*", text));
	ck_assert(!pattern_matches("(a*)*b", text));
	ck_assert(!pattern_matches("(((((((a?){255}){255}){255}){255}){255}){255})b", text));
	text[PATTERN_TEXT_MAX] = 'a';
	ck_assert(!pattern_matches("a*", text));
}
END_TEST

int main(void)
{
	const TTest *tests[] = {matches_what_libc_matches, names_and_lineages, what_is_wrong_is_said,
		long_texts_and_nested_repetitions_end};
	return RUN_TESTS("pattern", tests);
}
