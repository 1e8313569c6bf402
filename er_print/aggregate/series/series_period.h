/* SPDX-License-Identifier: GPL-3.0-or-later */
/* After how long a series repeats itself. */
#ifndef SERIES_PERIOD_H
#define SERIES_PERIOD_H

#include "series.h"

/* A period is looked for in cells, of a series that is halved until the period has no more than so many. */
#define PERIOD_CELLS_LEAST 12u
#define PERIOD_CELLS_MOST  (2 * PERIOD_CELLS_LEAST)
#define PERIODS_LEAST      4u /* in the series */

struct series_period {
	unsigned halvings; /* how often the series is to be halved */
	uint32_t cells;    /* the period, in cells of that */
	double alike; /* the correlation of the series with itself one period later, without what changes more slowly */
};
/* The shortest period whose correlation is nearly that of the best one. False: none is above what chance does. */
bool series_period_find(struct series_period *period, const struct series *series);

#endif
