/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MPI calls that are on the critical path in part: a filter that asks MCRITICAL keeps that part of their time, and one that asks
   for the opposite the rest. The call itself, its messages and bytes count where it ended. */
#ifndef CRITICAL_SPLIT_H
#define CRITICAL_SPLIT_H

#include "expression.h"

struct critical_split;
/* For a prepared expression; 0: events of this kind are not split, or the expression asks nothing of the path. The caller frees
   it. */
struct critical_split *critical_split_begin(const struct expression *expression, enum kind kind);
void critical_split_free(struct critical_split *split);
/* The batch with the time and duration of what is kept of each event, until the next call. kept[i]: whether something is. */
const struct data_batch *critical_split_batch(
	struct critical_split *split, const struct data_batch *whole, const bool **kept);

#endif
