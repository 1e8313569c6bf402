/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many bytes each process had allocated and not yet released: at every moment, at most, by whom then; and how large its
   allocations were. */
#ifndef HEAP_HISTORY_H
#define HEAP_HISTORY_H

#include "event_filter.h"

enum { HEAP_MOMENTS = 16 }; /* of a history */

/* Sizes: smallest, largest, number, sum, and the number by class: 0, then powers of two up to 2^63. */
struct heap_sizes {
	uint64_t smallest, largest, count, bytes;
	uint64_t by_class[66], bytes_by_class[66];
};
/* The class of a size: 0 of 0, else n for 2^(n-2) < size <= 2^(n-1). */
unsigned heap_size_class(uint64_t size);

struct heap_process {
	const struct loaded_experiment *experiment;
	uint64_t peak, peak_mapped; /* bytes: at the peak of all; of these, in mappings */
	uint64_t peak_time;         /* nanoseconds, as events have it */
	uint64_t peak_pieces;
	uint64_t left, left_mapped;    /* at the end */
	uint64_t moment[HEAP_MOMENTS]; /* bytes at the ends of as many equal parts of the process's run */
	uint64_t unknown_releases, missed_releases;
};
struct heap_history {
	struct heap_process *processes; /* those with heap events */
	uint32_t process_count;
	struct heap_sizes allocations, leaks;
};
struct heap_history *heap_history_read(struct data *data, const struct event_filter *filter);
void heap_history_free(struct heap_history *history);
/* Bytes by stack (data->stacks) that a process had at its peak. The caller frees the array. */
uint64_t *heap_at_peak(struct data *data, const struct event_filter *filter, const struct heap_process *process);

#endif
