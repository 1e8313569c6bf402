/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows of the threads' times, as vectors: the square root of the part of its time that each window spent in each kind of code
   space. By the roots, two windows with no code in common are as far from each other in however many spaces they were (Hellinger's
   distance). */
#ifndef PHASE_WINDOWS_H
#define PHASE_WINDOWS_H

#include "appearances.h"
#include "vector_clusters.h"

/* The coordinate of each class. A class with more than the limit of all time has its own. Of the others those of one function share
   one, and all waits in one state, wherever they are: what a thread that waits has to do with its program is where it goes on. */
struct phase_coordinates {
	uint32_t *of; /* by class */
	uint32_t count;
};
void phase_coordinates_make(
	struct phase_coordinates *coordinates, const struct space_classes *classes, const struct space_model *model);
void phase_coordinates_free(struct phase_coordinates *coordinates);

/* How long a window is, in ns, by the rules; where these leave it open, PHASE_WINDOW_MOST, in a short run PHASE_WINDOW_PARTS of
   it, but no less than PHASE_WINDOW_LEAST or PHASE_WINDOW_INTERVALS mean intervals on the CPU. */
#define PHASE_WINDOW_MOST      100000000u
#define PHASE_WINDOW_LEAST     10000000u
#define PHASE_WINDOW_PARTS     50u
#define PHASE_WINDOW_INTERVALS 10u
struct phase_window {
	uint64_t length;
	double intervals; /* how many of the mean one on the CPU are in it; 0: there is none */
};
struct phase_window phase_window_choose(
	const struct appearances *appearances, const struct space_classes *classes, const struct space_model *model);

/* The vectors of the windows in which threads have appearances; of more than PHASE_WINDOWS_MOST each so-and-so-many-th. A window
   weighs as much as there is time in it. The caller frees them. */
#define PHASE_WINDOWS_MOST 4096u
void phase_windows_read(struct cluster_vectors *vectors, const struct appearances *appearances,
	const struct phase_coordinates *coordinates, uint64_t window);
void phase_windows_free(struct cluster_vectors *vectors);

#endif
