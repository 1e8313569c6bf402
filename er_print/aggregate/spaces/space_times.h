/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In which code space each thread was, by time. */
#ifndef SPACE_TIMES_H
#define SPACE_TIMES_H

#include "space_phases.h"

struct space_times {
	struct appearances appearances;
	uint32_t *number; /* by appearance: its place among those of its class, by thread and time, from 1 */
	struct space_phases phases;
};

/* Looks at all samples, whatever is filtered (space_times_make.c). 0: there are none. The caller frees it. */
struct space_times *space_times_make(struct data *data, struct resolver *resolver, const struct space_rules *rules);
void space_times_free(struct space_times *times);

/* A class of spaces, which of its appearances, and the phase; all from 1, 0: it is not known. */
struct space_moment {
	uint32_t space, appearance, phase;
};
/* The interval between two samples that a moment is in: the moment of a sample is that of the interval before it. `times` may be
   0. */
struct space_moment space_times_at(
	const struct space_times *times, uint32_t experiment, uint32_t thread, uint64_t time);

#endif
