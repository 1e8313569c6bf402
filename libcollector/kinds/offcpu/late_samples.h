/* SPDX-License-Identifier: Apache-2.0 */
/* Samples that the kernel writes of the calling thread and that are read some time later, each with the registers and a part of the
   stack that the thread had then. The caller has claimed the thread's switches. Async-signal-safe. */
#ifndef LATE_SAMPLES_H
#define LATE_SAMPLES_H

#include "capture.h"
#include "perf_records.h"
#include "thread.h"
#include <stdbool.h>
#include <stdint.h>

struct late_samples {
	void *ring;
	unsigned ring_pages;
	bool found; /* the sample in `contents` is not taken yet */
	struct ring_contents contents;
};

/* Opens a perf event of that type that samples each time, in the kernel, too, with so many bytes of the stack (a multiple of 8, at
   most STACK_COPY). No descriptor of it stays. 0: refused. */
struct late_samples *late_samples_open(uint32_t type, uint64_t config, uint32_t stack_bytes);
void late_samples_close(struct late_samples *samples);
/* Frees that of the parent in a fork child, where the ring is not. */
void late_samples_forget(struct late_samples *samples);

/* The next sample that is not taken is in `contents`, with what was lost before it. False: there is none. */
bool late_samples_look(struct late_samples *samples);
static inline void late_samples_take(struct late_samples *samples)
{
	samples->found = false;
}
/* The stack of that sample, in the thread itself. What the sample does not have of it is read where it is now, from `in_use` on
   (0: nowhere), below which the collector's own frames may be: see `later` in struct captured. */
struct captured late_samples_stack(struct thread *thread, const struct late_samples *samples, uint64_t in_use);

#endif
