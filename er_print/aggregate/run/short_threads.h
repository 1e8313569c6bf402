/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of threads too short for a clock tick, estimated where it belongs. A thread's first tick comes at a random point of
   the first interval T of its clock, so a thread with the CPU time c < T from when its clock was set meets one with the
   probability c / T, and the one that does stands for T: of the time of those of its program that met none, it gets its share
   in proportion to T - c, over its own stacks. In the mean each stack then has the time that it took. A thread with c >= T
   stands for itself. */
#ifndef SHORT_THREADS_H
#define SHORT_THREADS_H

#include "stack_sums.h"

/* Moves that time in the sums of clock profiling from the stack "none" to the stacks of short threads of the same program. Both
   are of events that the filter keeps, in the metrics of a group (group_metrics.h; 0: they are of no group); the CPU time of a
   thread is that of all its events. What no thread of its program can get stays. The sums of a metric stay as they are in all.
   Returns what was moved, in nanoseconds. */
uint64_t short_threads_divide(
	struct data *data, const struct event_filter *filter, uint32_t group, struct stack_sums *sums);

#endif
