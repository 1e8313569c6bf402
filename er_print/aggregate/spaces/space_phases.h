/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phases: stretches of the threads' times in which the same classes of code spaces have like parts. They are the same over all
   threads, processes and experiments. */
#ifndef SPACE_PHASES_H
#define SPACE_PHASES_H

#include "appearances.h"

#define SPACE_PHASES_MOST 20u

struct space_phase {
	uint64_t time, longest; /* ns: of all its stretches, and of the longest one */
	uint32_t stretches, threads;
	uint32_t first;         /* the appearance with which it began first */
	uint32_t heaviest;      /* the class with the most time in it */
	uint64_t heaviest_time; /* ns */
};
struct space_phases {
	struct space_phase *phases; /* by time, downwards; then by the first appearance */
	uint32_t count;
	uint32_t *of;    /* by appearance: its phase */
	uint64_t window; /* ns: how long the windows are that were compared */
};

/* Windows of the threads are joined to phases by what they spent their times in (vector_clusters.h). Then each appearance is given
   to a phase (phase_paths.h): a phase begins and ends with an appearance, and a window that a change of phases is in makes no phase
   of its own. */
void space_phases_find(struct space_phases *phases, const struct appearances *appearances,
	const struct space_classes *classes, const struct space_model *model);
void space_phases_free(struct space_phases *phases);

/* Whether an appearance is of the thread of the one before it, and less than a window after it. */
static inline bool space_phase_is_near(
	const struct space_phases *phases, const struct appearances *appearances, uint32_t appearance)
{
	const struct appearance *own = &appearances->all[appearance];
	return appearance && own[-1].thread == own->thread && own->from - own[-1].to < phases->window;
}

/* Whether it goes on with the phase of that one. */
static inline bool space_phase_goes_on(
	const struct space_phases *phases, const struct appearances *appearances, uint32_t appearance)
{
	return space_phase_is_near(phases, appearances, appearance) &&
	       phases->of[appearance] == phases->of[appearance - 1];
}

#endif
