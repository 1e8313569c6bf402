/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks counters up in space_events.def. */
#include "space_events.h"
#include "kinds.h"
#include <stddef.h>
#include <string.h>

enum { LESS, MORE, NEITHER, NONE };

static const struct {
	const char *word;
	int good;
	const char *direction;
} rows[] = {
#define EVENT(word, good, direction) {word, good, direction},
#include "space_events.def"
};

static const struct {
	uint32_t state;
	const char *direction;
} states[] = {
#define STATE_DIRECTION(name, direction) {STATE_VALUE(OFFCPU, state, name), direction},
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
			return (struct space_event){
				rows[i].good != NEITHER, rows[i].good == MORE, rows[i].good == NONE, rows[i].direction};
	return (struct space_event){true, false, false, ""};
}

const char *space_state_direction(uint32_t state)
{
	for (size_t i = 0; i < sizeof states / sizeof *states; i++)
		if (states[i].state == state)
			return states[i].direction;
	return "";
}
