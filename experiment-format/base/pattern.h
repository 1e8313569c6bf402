/* SPDX-License-Identifier: Apache-2.0 */
/* Extended regular expressions as POSIX describes them, matched against whole texts: without malloc, locale or
   backtracking, because the collector matches in other people's programs. Not there: back references and the
   collating symbols and equivalence classes of bracket expressions. */
#ifndef PATTERN_H
#define PATTERN_H

#include <stdbool.h>

#define PATTERN_TEXT_MAX 511 /* bytes of a text; longer ones never match */

/* 0 if the pattern can be matched, else what is wrong with it; static storage. */
const char *pattern_error(const char *pattern);

/* Whether the whole text matches. False if the pattern is wrong. */
bool pattern_matches(const char *pattern, const char *text);

#endif
