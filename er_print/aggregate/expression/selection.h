/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which experiments, threads, CPUs, kernel's threads and samples count, chosen by number:

     [experiments:]list{+[experiments:]list}     a list: all, none, or numbers and ranges, 2,4,9-11,-1,20-

   Where an experiment is named several times, the last list holds. */
#ifndef SELECTION_H
#define SELECTION_H

#include "error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct number_ranges {
	bool some; /* only those below; else all */
	struct number_range {
		uint64_t low, high; /* both included */
	} * ranges;
	unsigned count;
};
static inline bool ranges_have(const struct number_ranges *ranges, uint64_t number)
{
	bool have = !ranges->some;
	for (unsigned r = 0; r < ranges->count && !have; r++)
		have = number >= ranges->ranges[r].low && number <= ranges->ranges[r].high;
	return have;
}

enum selection_target { SELECT_THREADS, SELECT_CPUS, SELECT_LWPS, SELECT_SAMPLES, SELECT_TARGETS };
struct selection {
	struct selected_experiment {
		bool off;
		struct number_ranges of[SELECT_TARGETS];
	} * experiments; /* by index; those at and behind `count` are selected with all that they have */
	uint32_t count;
};
/* Selects what a text says for one target. Experiments that it does not name are switched off, those that it names on, with
   what was selected of them for the other targets. False and *error if it is none: then nothing changes. */
bool selection_choose(struct selection *selection, uint32_t experiment_count, enum selection_target target,
	const char *text, struct error *error);
/* Whether everything is selected. */
bool selection_is_all(const struct selection *selection);
const struct selected_experiment *selection_of(const struct selection *selection, uint32_t experiment);
/* Forgets everything: all is selected. */
void selection_free(struct selection *selection);
/* "all", "none", or the list. Cut to fit. */
void ranges_text(const struct number_ranges *ranges, char *text, size_t size);

#endif
