/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clock events as pieces of time. One stands for the CPU time that its thread used since the clock event before it: where the
   thread waited in between, that is the time between the waits. */
#ifndef CLOCK_PIECES_H
#define CLOCK_PIECES_H

#include "metric_events.h"
#include "path_tree.h"

/* Returns the events with those of the clock divided: each becomes the parts of the time before it, back to the clock event
   before, in which no other event of its thread lasted. The later parts come first, up to twice its value, as an interval of the
   clock may have been longer than the CPU time in it; before all other events of a thread, up to its value.
   A piece between two waits has the stack of this clock event or of the one before, whose callers are those that both waits have
   in common. It is left out if neither has, or if it is short: these callers are then all that is known of it.
   `tree`: that of the stacks. *covered: the number of clock events that have no such time. The caller frees the array. */
struct metric_events clock_pieces(const struct metric_events *events, const struct path_tree *tree, uint64_t *covered);

#endif
