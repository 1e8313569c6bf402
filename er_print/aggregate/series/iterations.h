/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The iterations of a thread as a series shows them: the window that is repeated most (a motif), and the windows between its first
   repetition and its last one that are like no other (discords: Keogh, Lin and Fu, HOT SAX, IEEE ICDM 2005). */
#ifndef ITERATIONS_H
#define ITERATIONS_H

#include "series.h"

#define ODD_MOST 5u

struct iterations {
	struct series series; /* the given one, halved `halvings` times and standardised (series_standardise) */
	unsigned halvings;
	uint32_t window; /* cells of that: how long a window is */
	uint32_t motif;  /* the first cell of that window */
	uint32_t *starts,
		count; /* the first cells of its repetitions, itself among them, in the order of time; none overlaps half of
	                             another */
	double alike;       /* of the motif and the median repetition: 1: the same; 0: as unlike as any two windows */
	double usual;       /* the median of the distances of windows from the nearest other one, as `alike` has it */
	uint32_t odd_count; /* the oddest first */
	struct odd_window {
		uint32_t start; /* its first cell */
		double alike;   /* to the nearest other window */
	} odd[ODD_MOST];
};
enum iterations_found {
	ITERATIONS_FOUND,
	ITERATIONS_NO_PERIOD, /* no part of the series is repeated beyond what chance does */
	ITERATIONS_CONSTANT,  /* the series does not vary */
	ITERATIONS_TOO_SHORT, /* the window has fewer cells than ITERATION_CELLS_LEAST, or more than half of the series */
};
#define ITERATION_CELLS_LEAST 4u
/* period: how long a window is, in ns; 0: as long as series_period_find() has it. Free it if they are found. */
enum iterations_found iterations_find(struct iterations *iterations, const struct series *series, double period);
void iterations_free(struct iterations *iterations);

/* The mean time from one repetition to the next, in ns, without gaps of more than a quarter of a window; 0: there is no such pair.
   */
double iterations_period(const struct iterations *iterations);

#endif
