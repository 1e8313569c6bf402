/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of an expression taken apart into numbers, names, strings and signs. */
#ifndef EXPRESSION_WORDS_H
#define EXPRESSION_WORDS_H

#include "error.h"
#include <stdint.h>

enum { EXPRESSION_WORD_MAX = 1024 };
struct expression_words {
	const char *at; /* what has not been read yet */
	enum word_type { WORD_END, WORD_NUMBER, WORD_NAME, WORD_STRING, WORD_SIGN, WORD_BAD } type;
	int64_t number;
	char text[EXPRESSION_WORD_MAX]; /* of a name, string or sign */
};
/* Reads the next word; WORD_BAD with *error set if there is none. Numbers are decimal, octal (0...) or hexadecimal (0x...);
   in a string \" stands for a quote. */
void expression_next_word(struct expression_words *words, struct error *error);

#endif
