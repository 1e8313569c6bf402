/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes of code spaces: those that are the same, or overlap by at least so many percent, with their weight, time and counts over
   all threads, processes and experiments. */
#ifndef SPACE_CLASSES_H
#define SPACE_CLASSES_H

#include "space_model.h"

/* Shares of a class in the whole, or of all classes together. */
struct space_class {
	uint32_t leader; /* the space with the largest weight, which the others overlap */
	uint32_t spaces; /* how many there are */
	uint64_t weight; /* instructions times occurrences (CN 112540899 A), summed over its spaces */
	struct space_counts counts;
};
struct space_classes {
	struct space_class *classes; /* by weight, then time, downwards; then as space_compare() has it */
	uint32_t count;
	uint32_t *class_of; /* by space */
	struct space_class all;
	uint32_t threads; /* that have intervals */
};

/* Sums up what the filter keeps. */
void space_classes_compute(struct space_classes *classes, struct space_model *model, const struct event_filter *filter);
void space_classes_free(struct space_classes *classes);

/* Whether a part is more than so many percent of a whole: exactly so many are not. */
bool space_exceeds(uint64_t part, uint64_t whole, double percent);

#endif
