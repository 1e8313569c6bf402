/* SPDX-License-Identifier: Apache-2.0 */
/* The records that the kernel writes for a counter: what an overflow hit, and what was lost. */
#ifndef RING_H
#define RING_H

#include "overflow_counter.h"
#include <stdbool.h>
#include <stdint.h>

#define RING_PAGES   1u   /* of data: room for one overflow with the deepest kernel stack, and more */
#define KERNEL_DEPTH 127u /* frames: what the kernel gives at most */

/* What is asked for of a counter's overflows: PERF_SAMPLE_*. */
uint64_t ring_sample_type(const struct overflow_counter *wanted);

/* The last overflow in the ring, and what else was there. */
struct ring_contents {
	bool sampled; /* there was one; else nothing below up to kernel_depth counts */
	bool exact;   /* pc is the instruction that counted */
	bool kernel;  /* it was in the kernel */
	uint64_t pc;
	uint64_t address, source, latency; /* 0: not recorded */
	unsigned kernel_depth;
	uint64_t kernel_frames[KERNEL_DEPTH]; /* innermost first; the outer ones are return addresses */
	uint64_t throttled, lost;
};

/* Takes the records out. The event must be off, so that none comes meanwhile. */
void ring_take(void *ring, uint64_t sample_type, struct ring_contents *contents);
/* Whether there are any. */
bool ring_has_records(const void *ring);

#endif
