/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The samples of one process in the order of time, and the stretches between them, which are what users choose and filter by.
   A stretch is numbered as the sample that it begins with: from 1, and 0 is what comes before the first. */
#ifndef PROCESS_SAMPLES_H
#define PROCESS_SAMPLES_H

#include "experiment.h"
#include "samples.h"

struct sample_point {
	uint64_t time; /* ns since the founder's start */
	const char *label;
	struct sample_values values;
};
struct process_samples {
	struct sample_point *points;
	uint32_t count;
	uint32_t stretches; /* with what comes after the last sample, unless that is the end */
};

/* Reads the log of an experiment that began `start_offset` ns after its founder. */
void process_samples_read(struct process_samples *samples, const struct experiment *file, uint64_t start_offset);
void process_samples_free(struct process_samples *samples);
/* The number of the stretch that holds a moment, ns since the founder's start. */
uint32_t process_samples_at(const struct process_samples *samples, uint64_t time);

#endif
