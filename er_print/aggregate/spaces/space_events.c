/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks counters up in space_events.def. */
#include "space_events.h"
#include <stddef.h>
#include <string.h>

enum { LESS, MORE, NEITHER };

static const struct {
	const char *word;
	int good;
	const char *direction;
} rows[] = {
#define EVENT(word, good, direction) {word, good, direction},
#include "space_events.def"
};

/* Whether the word is in the name, at its begin or behind what parts words: "io" is not in "migrations". */
static bool has_word(const char *name, const char *word)
{
	for (const char *at = strstr(name, word); at; at = strstr(at + 1, word))
		if (at == name || strchr("-_.:", at[-1]))
			return true;
	return false;
}

struct space_event space_event_of(const char *name)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (has_word(name, rows[i].word))
			return (struct space_event){rows[i].good != NEITHER, rows[i].good == MORE, rows[i].direction};
	return (struct space_event){true, false, ""};
}
