/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The meaning of counters for verdicts, by their names. */
#ifndef SPACE_EVENTS_H
#define SPACE_EVENTS_H

#include <stdbool.h>

struct space_event {
	bool is_judged; /* else neither much nor little of it is bad */
	bool more_is_better;
	const char *direction; /* "": none is known */
};
/* Looks a counter up by its name; one that is not known is better in small numbers. */
struct space_event space_event_of(const char *name);

#endif
