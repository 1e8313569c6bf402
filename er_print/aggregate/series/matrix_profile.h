/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrix profile: how far each window of a series is from the window that is most like it (Yeh and others, Matrix Profile I,
   IEEE ICDM 2016). Distances are of the values as they are (Akbarinia and Cloez, Efficient Matrix Profile Computation Using
   Different Distance Functions, 2019): were each window scaled by itself, the noise of a quiet time would be as large as the work
   of a busy one, and a window that is odd by its height alone would be like all others. */
#ifndef MATRIX_PROFILE_H
#define MATRIX_PROFILE_H

#include "series.h"

/* How many windows of so many cells the series has. */
static inline uint32_t windows_of(const struct series *series, uint32_t cells)
{
	return series->count < cells ? 0 : series->count - cells + 1;
}

/* The square of the distance of each window, by its first cell, from the nearest one that begins at least `apart` and no more than
   `reach` cells earlier or later; INFINITY where there is none. The sums of squares over cells and dimensions are exact but for
   rounding. It takes time by the number of windows times `reach`. The caller frees it. */
double *matrix_profile(const struct series *series, uint32_t cells, uint32_t apart, uint32_t reach);

/* The square of the distance of one window from each other. The caller frees it. */
double *distance_profile(const struct series *series, uint32_t cells, uint32_t window);

#endif
