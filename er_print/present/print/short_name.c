/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds pairs of brackets, which the names of operators are none of. */
#include "short_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const char dots[] = "...";
enum { DOTS = 3 };

/* How many bytes the operator's own name has at the text, "operator<<" or "operator()"; 0: it is none. */
static size_t operator_length(const char *text, const char *before)
{
	static const char word[] = "operator";
	size_t length = strlen(word);
	if (strncmp(text, word, length) != 0 || (before && (isalnum((unsigned char)*before) || *before == '_')))
		return 0;
	if (!strncmp(text + length, "()", 2))
		return length + 2;
	size_t symbols = strspn(text + length, "<>=-");
	/* operator<<int> has the name operator<, and operator<=> its own. */
	return symbols ? length + symbols : 0;
}

/* The end of the group that opens at the text, behind its closing bracket; 0: it does not close. */
static const char *group_end(const char *text)
{
	char open = *text, close = open == '<' ? '>' : ')';
	unsigned depth = 0;
	for (const char *at = text; *at; at++) {
		size_t name = operator_length(at, at > text ? at - 1 : 0);
		if (name) {
			at += name - 1;
			continue;
		}
		depth += *at == open;
		if (*at == close && !(close == '>' && at > text && at[-1] == '-') && !--depth)
			return at + 1;
	}
	return 0;
}

/* The longest group outside all others, with more in it than dots. Its end is *end; 0: there is none. */
static char *longest_group(char *text, const char **end)
{
	char *longest = 0;
	*end = 0;
	for (char *at = text; *at;) {
		size_t name = operator_length(at, at > text ? at - 1 : 0);
		const char *behind = !name && at > text && (*at == '<' || *at == '(') ? group_end(at) : 0;
		if (behind && behind - at > DOTS + 2 && (!longest || behind - at > *end - longest)) {
			longest = at;
			*end = behind;
		}
		at += name ? name : behind ? (size_t)(behind - at) : 1;
	}
	return longest;
}

static bool is_continuation(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* More of the end than of the beginning: that is where the function's own name is. */
static void cut_middle(char *text, size_t width)
{
	size_t length = strlen(text), first = (width - DOTS) / 3, rest = length - (width - DOTS - first);
	while (first && is_continuation(text[first]))
		first--;
	while (is_continuation(text[rest]))
		rest++;
	memcpy(text + first, dots, DOTS);
	memmove(text + first + DOTS, text + rest, length - rest + 1);
}

void shorten_name(char *text, size_t width)
{
	const char *end;
	char *group;
	while (strlen(text) > width && (group = longest_group(text, &end))) {
		memcpy(group + 1, dots, DOTS);
		memmove(group + 1 + DOTS, end - 1, strlen(end - 1) + 1);
	}
	if (strlen(text) > width)
		cut_middle(text, width);
}
