/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By thread and time: the calls of a trace, the waits in them, and the samples of the profile. */
#ifndef MPI_TIMELINES_H
#define MPI_TIMELINES_H

#include "event_filter.h"
#include "mpi_trace.h"
#include "mpi_waits.h"

/* Time that a thread used, or did not run. */
struct mpi_sample {
	uint64_t thread; /* number_pair of experiment and thread */
	uint64_t time;   /* ns since the founder's start */
	uint64_t weight; /* ns */
	uint32_t stack, key;
	bool kept; /* by the filter */
};
struct mpi_timelines {
	const struct mpi_trace *trace;
	const struct mpi_wait *waits;
	uint32_t *calls; /* of the trace, by thread and beginning */
	uint32_t *ends;  /* waits, by thread and end */
	uint32_t wait_count;
	struct mpi_sample *samples; /* by thread and time, of processes that called MPI */
	uint32_t sample_count;
};
/* `keys` may be 0, as of a trace: then a sample's key is its stack. */
void mpi_timelines_read(struct mpi_timelines *timelines, struct data *data, const struct event_filter *filter,
	const struct metric_keys *keys, const struct mpi_trace *trace, const struct mpi_wait *waits,
	uint32_t wait_count);
void mpi_timelines_free(struct mpi_timelines *timelines);

/* The first of them that is of this thread at or after a time (of waits: ends after it), or of a later thread: its place. */
uint32_t mpi_timeline_call(const struct mpi_timelines *timelines, uint64_t thread, uint64_t from);
uint32_t mpi_timeline_wait(const struct mpi_timelines *timelines, uint64_t thread, uint64_t after);
/* The call of a thread that began then, if there are several the one of this stack; NO_CALL: there is none. */
uint32_t mpi_timeline_call_at(const struct mpi_timelines *timelines, uint64_t thread, uint64_t begin, uint32_t stack);
uint32_t mpi_timeline_sample(const struct mpi_timelines *timelines, uint64_t thread, uint64_t from);

#endif
