/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The appearances of a class in which the rate of a counter is worst, and those in which it is best. */
#ifndef SPACE_EXTREMES_H
#define SPACE_EXTREMES_H

#include "appearances.h"
#include "space_events.h"

#define EXTREMES_SHOWN 5u

struct space_extreme {
	uint32_t appearance;
	double rate; /* by instruction, or by ns */
};
/* Those with rates beyond that of all of them, the outermost first; ties by thread and time. */
struct space_extremes {
	struct space_extreme worst[EXTREMES_SHOWN], best[EXTREMES_SHOWN];
	uint32_t worst_count, best_count;
};
/* Looks at the appearances in `indexes` only. */
void space_extremes_find(struct space_extremes *extremes, const struct appearances *appearances,
	const uint32_t *indexes, uint32_t count, unsigned counter, struct space_event event);

#endif
