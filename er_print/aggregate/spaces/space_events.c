/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks counters up in space_events.def. */
#include "space_events.h"
#include <stddef.h>
#include <string.h>

enum { LESS, MORE };

static const struct {
	const char *word;
	int good;
	const char *direction;
} rows[] = {
#define EVENT(word, good, direction) {word, good, direction},
#include "space_events.def"
};

struct space_event space_event_of(const char *name)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strstr(name, rows[i].word))
			return (struct space_event){rows[i].good == MORE, rows[i].direction};
	return (struct space_event){false, ""};
}
