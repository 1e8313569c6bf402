/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quoting and continuation. */
#include "script_words.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool words_unfinished(const char *line)
{
	bool quoted = false, in_word = false;
	size_t length = strlen(line);
	if (line[strspn(line, " \t")] == '#')
		return false;
	for (const char *at = line; *at; at++) {
		if (*at == '\\' && at[1] == '"') {
			at++;
			in_word = true;
		} else if (quoted) {
			quoted = *at != '"';
		} else if (*at == '"' && !in_word) {
			quoted = true;
		} else {
			in_word = !is_blank(*at);
		}
	}
	return quoted || (length && line[length - 1] == '\\');
}

/* Moves one word to its place without quotes; returns where the next begins, 0 if a quote is not closed. */
static char *take_word(char *at, char **word)
{
	bool quoted = *at == '"';
	char *to = *word = at;
	at += quoted;
	while (*at && (quoted ? *at != '"' : !is_blank(*at))) {
		at += *at == '\\' && at[1] == '"';
		*to++ = *at++;
	}
	if (quoted && *at != '"')
		return 0;
	char *next = *at ? at + 1 : at;
	*to = 0;
	return next;
}

int words_split(char *line, char *words[WORDS_MAX])
{
	int count = 0;
	for (char *at = line;;) {
		while (is_blank(*at))
			at++;
		if (!*at)
			return count;
		if (count == WORDS_MAX)
			return -1;
		at = take_word(at, &words[count++]);
		if (!at)
			return -1;
	}
}
