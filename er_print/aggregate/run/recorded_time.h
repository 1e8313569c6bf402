/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time in which a process was recorded. */
#ifndef RECORDED_TIME_H
#define RECORDED_TIME_H

#include "experiment.h"

/* Nanoseconds since the experiment's start. */
struct stretch {
	uint64_t from, to;
};
/* The stretches of a process image's life in which it was recorded, in the order of time: without what -t leaves out and without
   the time between each `pause` and the `resume` that follows it. Their number is in *count; the caller frees them. */
struct stretch *recorded_stretches(const struct experiment *experiment, uint32_t *count);

/* How long that is. */
uint64_t recorded_time(const struct experiment *experiment);

/* When it ended, in nanoseconds since the experiment's start; 0 if nothing was recorded. */
uint64_t recorded_end(const struct experiment *experiment);

#endif
