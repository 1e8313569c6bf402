/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time in which a process was recorded. */
#ifndef RECORDED_TIME_H
#define RECORDED_TIME_H

#include "experiment.h"

/* How long a process image was recorded, in nanoseconds: its life without what -t leaves out and without the time between
   each `pause` and the `resume` that follows it. */
uint64_t recorded_time(const struct experiment *experiment);

#endif
