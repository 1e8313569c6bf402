/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that wait at the end of a parallel region, and workers between two regions, are in functions of their own:
   <OMP-implicit_barrier>, called by who began the region, and <OMP-idle>. Those that wait in a region have such stacks from the
   collector (FORMAT.md), but for intervals off the CPU whose stacks are guessed. */
#ifndef OMP_PLACES_H
#define OMP_PLACES_H

#include "data.h"

/* Whether there may be any. */
bool omp_places_are_in(const struct data *data);
/* Fills data->timed_stacks, if there are. Adds stacks, and looks at those that there are. */
void omp_places_make(struct data *data);

#endif
