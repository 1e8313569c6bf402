/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The peaks of the heap that samples show. */
#ifndef HEAP_SAMPLE_PEAKS_H
#define HEAP_SAMPLE_PEAKS_H

#include "data.h"

/* The most bytes that each process had allocated at once until each of its samples, and last until its end: by experiment, then
   by sample point. 0 in
   place of an experiment's array where it has no heap events. */
uint64_t **heap_sample_peaks_read(struct data *data);
void heap_sample_peaks_free(uint64_t **peaks, const struct data *data);

#endif
