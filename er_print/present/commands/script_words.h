/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of a script taken apart into words. */
#ifndef SCRIPT_WORDS_H
#define SCRIPT_WORDS_H

#include <stdbool.h>

enum { WORDS_MAX = 64 };

/* Whether the line ends inside double quotes or with a "\", so that the next line belongs to it. */
bool words_unfinished(const char *line);
/* Splits `line` in place: blanks part words; a word that begins with a double quote ends at the next one, which may
   not be missing; "\" before a quote stands for the quote. Returns the number of words, -1 if there are too many or a
   quote is not closed. */
int words_split(char *line, char *words[WORDS_MAX]);

#endif
