/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When events began and ended. */
#ifndef EVENT_TIMES_H
#define EVENT_TIMES_H

#include "data.h"
#include <stdbool.h>

/* Nanoseconds since the founder experiment's start at which the events [first, first + count) of a batch of this kind began, or
   ended. The recorded time is an MPI call's beginning, and the end of whatever else lasts (FORMAT.md). */
void event_times(int kind, const struct data_batch *batch, uint32_t first, uint32_t count, bool ends, int64_t *times);
/* The middle of an event. */
uint64_t event_middle(int kind, const struct data_batch *batch, uint32_t event);

#endif
