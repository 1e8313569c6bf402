/* SPDX-License-Identifier: Apache-2.0 */
/* The perf events of a thread that clock ticks read: in as few groups as the kernel takes them in, each read by one call. */
#ifndef READING_GROUPS_H
#define READING_GROUPS_H

#include "wanted_counters.h"
#include <stdbool.h>
#include <stdint.h>

#define READING_GROUPS_MAX 4u

struct reading_groups {
	int descriptor[READINGS_MAX]; /* atomic, each: by counter; -1: it is no perf event, or could not be opened */
	unsigned count;
	struct reading_group {
		unsigned size;
		unsigned counter[READINGS_MAX]; /* in the order of the values; the first leads */
		uint64_t enabled, running;      /* ns, at the last reading */
	} group[READING_GROUPS_MAX];
};

/* The counts since the counters were opened. */
struct reading {
	uint32_t known;      /* bit i: value[i] is known */
	uint32_t continuous; /* bit i: it has counted without a break since the reading before */
	uint64_t value[READINGS_MAX];
};

/* Opens those of the calling thread. False: some could not be. */
bool reading_groups_open(struct reading_groups *groups, struct wanted_counters wanted);
/* Closes them, in the thread itself. */
void reading_groups_close(struct reading_groups *groups);

/* Adds what they have counted; leaves what could not be read as it is. Async-signal-safe. */
void reading_groups_read(struct reading_groups *groups, struct reading *reading);

#endif
