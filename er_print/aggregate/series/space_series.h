/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code spaces that a thread is in as a series: the part of each cell that it spent in each of them. */
#ifndef SPACE_SERIES_H
#define SPACE_SERIES_H

#include "appearances.h"
#include "series.h"

/* The dimensions are the coordinates of phase_windows.h with the most time; the last one is all others, if there are more. */
#define SPACE_SERIES_DIMENSIONS 16u
struct space_series {
	const struct appearances *appearances;
	uint32_t *of; /* by class: its dimension */
	unsigned dimensions;
	struct space_dimension {
		uint64_t time;    /* ns, of all threads */
		uint32_t classes; /* how many there are */
		uint32_t class;   /* the one of them with the most time */
	} dimension[SPACE_SERIES_DIMENSIONS];
};
/* Appearances and classes must live as long. */
void space_series_begin(struct space_series *series, const struct appearances *appearances,
	const struct space_classes *classes, const struct space_model *model);
void space_series_end(struct space_series *series);

/* That of a thread in `appearances`, from its first appearance to its last one. The caller frees the values. */
struct series space_series_of(const struct space_series *series, uint32_t thread);

#endif
