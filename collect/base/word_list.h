/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of words with blanks between them. */
#ifndef WORD_LIST_H
#define WORD_LIST_H

#include <stdbool.h>

/* Whether `word` is one of `list`; case does not matter. */
bool words_have(const char *list, const char *word);

#endif
