/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long processes ran, with how many threads, and what they used of the machine: in all, in the samples that are selected,
   or in one of them. Times in nanoseconds since the founder's start. */
#ifndef EXECUTION_H
#define EXECUTION_H

#include "data.h"
#include "selection.h"

struct execution {
	uint64_t start, end;
	uint64_t duration;    /* of what is selected between them */
	uint64_t thread_time; /* summed over the threads */
	/* The use in that time; for fields of a moment or a peak the most at the end of a sample. */
	struct sample_values used;
	uint32_t times_known, times_unknown; /* images whose CPU time was recorded, or not */
	uint32_t without_samples;            /* images that have none, which `used` leaves out, but for CPU time */
};

/* The common input of all of them: made once for the data. */
struct executions;
struct executions *executions_create(struct data *data, const struct selection *selection);
void executions_free(struct executions *executions);

/* For one process image, in its selected samples; if all are, that includes what came before the first sample. */
struct execution execution_of(const struct executions *executions, uint32_t experiment);
/* For stretch `number`, from 1, of its samples. The time after the last sample has no numbers. */
struct execution execution_of_sample(const struct executions *executions, uint32_t experiment, uint32_t number);
/* For all that are selected of a group (by experiment, as event_filter.groups; group 0: of all); the run of a founder lasts until
   the last of its descendants ends. */
struct execution execution_sum(const struct executions *executions, const uint32_t *groups, uint32_t group);

#endif
