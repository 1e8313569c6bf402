/* SPDX-License-Identifier: Apache-2.0 */
/* Searching a list of words. */
#include "word_list.h"
#include <string.h>
#include <strings.h>

bool words_have(const char *list, const char *word)
{
	size_t wanted = strlen(word);
	while (*list) {
		size_t length = strcspn(list, " ");
		if (length == wanted && strncasecmp(list, word, length) == 0)
			return true;
		list += length + (list[length] == ' ');
	}
	return false;
}
