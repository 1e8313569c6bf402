/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The four siftings of CN 112540899 A, claim 1: verdicts on classes with much weight or time, on the same class in different
   threads, on what is in longest gaps, and on the same class beside different neighbours. No verdict is corrected for the number of
   tests yet (space_verdicts_correct); those that were not asked for are JUDGED_UNKNOWN. The caller frees each array. */
#ifndef SPACE_SIFTINGS_H
#define SPACE_SIFTINGS_H

#include "space_patterns.h"
#include "space_recurrence.h"
#include "space_verdicts.h"

struct sifting {
	const struct appearances *appearances;
	const struct appearance_order *order;
	const struct space_counters *counters;
	const struct space_table *table;
	const struct space_class *rows; /* the classes */
	uint32_t classes;
	const bool *asked;               /* by class */
	struct space_population **whole; /* by counter: of all appearances, when first asked for */
};
/* Begins with all but `whole`. */
void sifting_begin(struct sifting *sifting);
void sifting_end(struct sifting *sifting);

/* How a counter is judged. */
struct space_event sifting_event(const struct sifting *sifting, unsigned counter);
/* The function that a class is in; FUNCTION_TOTAL: none. */
uint32_t sifting_function(const struct sifting *sifting, uint32_t class);
/* Beside the whole program; by class and counter. The time off the CPU of a class that is a wait is judged by its share alone: code
   that runs has none, so there is nothing that chance could have made. */
struct space_verdict *sift_classes(const struct sifting *sifting);
/* All classes of each of these functions together beside the rest of the program, by place in the array and counter: code with most
   of the time has no rate far above that of the whole program. Only deficits are told. */
struct space_verdict *sift_functions(const struct sifting *sifting, const uint32_t *functions, uint32_t count);
/* The class's appearances in a thread beside those in the others; by thread and counter. */
struct space_verdict *sift_threads(const struct sifting *sifting, uint32_t class);
/* Appearances in the longest gap of each of these, beside the rest of the run; by place in the array and counter. */
struct space_verdict *sift_gaps(
	const struct sifting *sifting, const struct space_recurrence *recurrences, uint32_t count);
/* Appearances beside a neighbour, beside all of the class; by pattern and counter. */
struct space_verdict *sift_patterns(const struct sifting *sifting, const struct space_patterns *patterns);

#endif
