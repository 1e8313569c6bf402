/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How alike the moments of a thread are: a recurrence plot (Eckmann, Kamphorst and Ruelle, Europhysics Letters 4, 1987) of the
   classes of code spaces. */
#ifndef RECURRENCE_PLOT_H
#define RECURRENCE_PLOT_H

#include "space_phases.h"

enum { RECURRENCE_SIDE = 512, RECURRENCE_ALIKE = 255 };

/* The thread's time, from its first appearance to the end of its last one, in equal moments. */
struct recurrence_plot {
	uint64_t from, to; /* ns since the founder's start */
	struct recurrence_moment {
		uint64_t covered;  /* ns, in appearances */
		uint64_t heaviest; /* ns, in the class with the most time; of two of as much the first */
		uint32_t class,
			phase; /* that one, and the phase of its longest appearance; of a moment that is not covered 0 */
	} moments[RECURRENCE_SIDE];
	/* [i][j]: the part of a moment's length that both spend in the same classes; RECURRENCE_ALIKE is all of it. */
	unsigned char alike[RECURRENCE_SIDE][RECURRENCE_SIDE];
};
/* Makes that of a thread in `appearances`, which has some. The caller frees it. */
struct recurrence_plot *recurrence_plot_make(
	const struct appearances *appearances, const struct space_phases *phases, uint32_t thread);

#endif
