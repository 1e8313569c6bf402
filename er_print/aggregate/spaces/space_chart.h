/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The phases that each thread went through, and the classes of code spaces in them, as a chart by time. */
#ifndef SPACE_CHART_H
#define SPACE_CHART_H

#include "space_phases.h"
#include "time_chart.h"

/* Below each lane are phases, and below these their classes. The numbers of frames are not those of functions, but what
   space_chart_frame() reads. Classes that are not listed, by class, are one. Times between two appearances of one are the
   phase alone. time_chart_free() frees it. */
struct time_chart *space_chart_create(
	const struct appearances *appearances, const struct space_phases *phases, const bool *listed, uint32_t classes);

/* A frame of such a chart: a phase, or a class of spaces, from 1; both 0: <Total>, a lane, or classes that are not listed. */
struct space_frame {
	uint32_t phase, space;
};
static inline struct space_frame space_chart_frame(uint32_t number, uint32_t phases, uint32_t classes)
{
	if (number <= phases)
		return (struct space_frame){.phase = number};
	return (struct space_frame){.space = number - phases <= classes ? number - phases : 0};
}

#endif
