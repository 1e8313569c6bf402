/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The meaning of counters for verdicts, by their names. */
#ifndef SPACE_EVENTS_H
#define SPACE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

struct space_event {
	bool is_judged; /* else neither much nor little of it is bad */
	bool more_is_better;
	bool only_deficits;    /* code without it is nothing special */
	const char *direction; /* "": none is known */
};
/* The advice where much time is spent in a state of a thread (kinds.def: OFFCPU, state); "": there is none. */
const char *space_state_direction(uint32_t state);
/* Looks a counter up by its name; one that is not known is better in small numbers. */
struct space_event space_event_of(const char *name);

#endif
