/* SPDX-License-Identifier: Apache-2.0 */
/* The records that the kernel writes for a counter: what an overflow hit, and what was lost. */
#ifndef RING_H
#define RING_H

#include "architecture.h"
#include "overflow_counter.h"
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#define RING_PAGES            1u  /* of data: room for one overflow with the deepest kernel stack, and more */
#define LATE_RING_PAGES       32u /* where overflows are read later: for 15 of them */
#define LATE_RING_PAGES_LEAST 4u
#define KERNEL_DEPTH          127u  /* frames: what the kernel gives at most */
#define STACK_COPY            8192u /* bytes of the stack in an overflow that is read later */

/* The parts of a sample that a counter asks for: PERF_SAMPLE_*. */
uint64_t ring_sample_type(const struct overflow_counter *wanted);
/* Sets all attributes of an event that follow from that. */
void ring_ask(struct perf_event_attr *attributes, const struct overflow_counter *wanted);

/* The last overflow that was taken out of a ring, and what else was there. */
struct ring_contents {
	bool sampled; /* there was one; else nothing below up to `stack` counts */
	bool exact;   /* pc is the instruction that counted */
	bool kernel;  /* it was in the kernel */
	uint64_t pc;
	uint64_t address, source, latency; /* 0: not recorded */
	unsigned kernel_depth;
	uint64_t kernel_frames[KERNEL_DEPTH]; /* innermost first; the outer ones are return addresses */

	/* Only of overflows that are read later: */
	uint64_t at;                     /* its place among all that was ever written to the ring */
	uint64_t time;                   /* CLOCK_MONOTONIC, nanoseconds */
	uint32_t cpu;                    /* that it happened on */
	bool has_registers;              /* else the thread had no user mode to go back to */
	uint64_t registers[SAVED_COUNT]; /* of the thread in user mode, in the kernel's order */
	uint64_t stack_size;             /* bytes, from the stack pointer up */
	char stack[STACK_COPY] __attribute__((aligned(8)));

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
