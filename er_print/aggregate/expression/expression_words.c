/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the words of expressions. */
#include "expression_words.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const signs[] = {"||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "<", ">", "+", "-", "*", "/", "%",
	"&", "|", "^", "!", "~", "?", ":", ",", "(", ")"};

static enum word_type bad(struct error *error, const char *format, int length, const char *text)
{
	error_set(error, format, length, text);
	return WORD_BAD;
}

static enum word_type read_number(struct expression_words *words, struct error *error)
{
	char *end;
	errno = 0;
	words->number = (int64_t)strtoull(words->at, &end, 0);
	int length = (int)(end - words->at);
	if (errno || isalnum((unsigned char)*end) || *end == '_')
		return bad(error, "%.*s... is not a number of 64 bits", length < 40 ? length + 1 : 40, words->at);
	words->at = end;
	return WORD_NUMBER;
}

static enum word_type read_name(struct expression_words *words, struct error *error)
{
	size_t length = 0;
	while (isalnum((unsigned char)words->at[length]) || words->at[length] == '_')
		length++;
	if (length >= sizeof words->text)
		return bad(error, "the name %.*s... is too long", 20, words->at);
	memcpy(words->text, words->at, length);
	words->text[length] = 0;
	words->at += length;
	return WORD_NAME;
}

static enum word_type read_string(struct expression_words *words, struct error *error)
{
	size_t length = 0;
	const char *at = words->at + 1;
	for (; *at && *at != '"'; at++) {
		if (*at == '\\' && at[1] == '"')
			at++;
		if (length + 1 >= sizeof words->text)
			return bad(error, "the string %.*s... is too long", 20, words->at);
		words->text[length++] = *at;
	}
	words->text[length] = 0;
	if (!*at)
		return bad(error, "the string %.*s has no closing quote", 40, words->at);
	words->at = at + 1;
	return WORD_STRING;
}

void expression_next_word(struct expression_words *words, struct error *error)
{
	words->at += strspn(words->at, " \t\r\n");
	words->text[0] = 0;
	if (!*words->at) {
		words->type = WORD_END;
		return;
	}
	if (isdigit((unsigned char)*words->at)) {
		words->type = read_number(words, error);
		return;
	}
	if (isalpha((unsigned char)*words->at) || *words->at == '_') {
		words->type = read_name(words, error);
		return;
	}
	if (*words->at == '"') {
		words->type = read_string(words, error);
		return;
	}
	for (unsigned s = 0; s < sizeof signs / sizeof *signs; s++)
		if (!strncmp(words->at, signs[s], strlen(signs[s]))) {
			strcpy(words->text, signs[s]);
			words->at += strlen(signs[s]);
			words->type = WORD_SIGN;
			return;
		}
	words->type = bad(error, "%.*s is not known", 1, words->at);
}
