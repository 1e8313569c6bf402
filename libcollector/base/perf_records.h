/* SPDX-License-Identifier: Apache-2.0 */
/* The records that the kernel writes into the ring of a perf event: samples, and what was lost. */
#ifndef PERF_RECORDS_H
#define PERF_RECORDS_H

#include "architecture.h"
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#define KERNEL_DEPTH 127u  /* frames: what the kernel gives at most */
#define STACK_COPY   8192u /* bytes of the stack, at most, in a sample that is read later */
#define RAW_MOST     64u   /* bytes of a tracepoint's own data that are read */

/* The last sample that was taken out of a ring, and what else was there. */
struct ring_contents {
	bool sampled; /* there was one; else nothing below up to `stack` counts */
	bool exact;   /* pc is the instruction that counted */
	bool kernel;  /* it was in the kernel */
	uint64_t pc;
	uint64_t address, source, latency; /* 0: not recorded */
	unsigned kernel_depth;
	uint64_t kernel_frames[KERNEL_DEPTH]; /* innermost first; the outer ones are return addresses */

	/* Only of samples that are read later: */
	uint64_t at;                     /* its place among all that was ever written to the ring */
	uint64_t time;                   /* CLOCK_MONOTONIC, nanoseconds */
	uint32_t cpu;                    /* that it happened on */
	bool has_registers;              /* else the thread had no user mode to go back to */
	uint64_t registers[SAVED_COUNT]; /* of the thread in user mode, in the kernel's order */
	uint64_t stack_size;             /* bytes, from the stack pointer up */
	char stack[STACK_COPY] __attribute__((aligned(8)));

	unsigned raw_size; /* of a tracepoint's own data; 0: it is none */
	char raw[RAW_MOST] __attribute__((aligned(8)));

	uint64_t throttled, lost; /* added up */
};

/* As if nothing had been taken out yet. */
void ring_contents_clear(struct ring_contents *contents);
/* Takes all records out. The event must be off, so that none comes meanwhile. */
void ring_take(void *ring, uint64_t sample_type, struct ring_contents *contents);
/* Takes the next one out; what was sampled and lost before stays in *contents. False: there is none. */
bool ring_take_one(void *ring, uint64_t sample_type, struct ring_contents *contents);
/* Whether there are any. */
bool ring_has_records(const void *ring);
/* The place of what is written next. */
uint64_t ring_head(const void *ring);

#endif
