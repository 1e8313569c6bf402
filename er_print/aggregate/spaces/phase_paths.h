/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which phase each appearance is of, given the parts of time that code spaces have in each phase. */
#ifndef PHASE_PATHS_H
#define PHASE_PATHS_H

#include "phase_windows.h"
#include "space_phases.h"

/* How much more unlikely a window of foreign code is than a change of phases: e to this power. A phase between two others is one if
   it goes on for about a window. */
#define PHASE_CHANGE_COST 2.0
/* Code that a phase never had so far is no proof that it is another one: so much of each phase is as the whole run. */
#define PHASE_AS_ALL 0.05
/* Phases with less time in all, in windows, are none. */
#define PHASE_LEAST 0.5
/* Phases that differ in less of their time are one. */
#define PHASE_DIFFERENCE 0.1

/* Gives each appearance to a phase, so that it is most likely to have come about (Viterbi's path through each thread), moves the
   phases to what they got, and does so again until nothing moves. times: [phase * coordinates + coordinate], of phases->count
   phases: what time each has in each, in any unit; it is overwritten. Phases that get too little, and those like others, are taken
   out. */
void phase_paths_find(struct space_phases *phases, const struct appearances *appearances,
	const struct phase_coordinates *coordinates, double *times);

#endif
