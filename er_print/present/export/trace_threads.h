/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads as formats with a time axis show them: those that had samples of a metric or recorded calls, one after another. */
#ifndef TRACE_THREADS_H
#define TRACE_THREADS_H

#include "metric_events.h"
#include "mpi_names.h"
#include "trace_times.h"
#include "traced_calls.h"

struct trace_threads {
	struct session *session;
	struct metric_events events;
	struct traced_calls calls;
	struct trace_times times;
	struct table texts;
	struct mpi_process_names ranks;
};
/* A thread: places of its events and calls. Zero-initialised is before the first. */
struct trace_thread {
	uint32_t experiment, thread;
	size_t first_event, events_end, first_call, calls_end;
};
#define NO_METRIC UINT32_MAX

/* The events of a row of the table (NO_METRIC: of none), and all calls, that the session's filter keeps. */
struct trace_threads trace_threads_make(struct session *session, const struct metric_table *metrics, unsigned metric);
void trace_threads_free(struct trace_threads *threads);

/* Goes on to the next thread. False: there is none. */
bool trace_threads_next(const struct trace_threads *threads, struct trace_thread *thread);
/* A time of an experiment's, ns since its founder's start, as ns since the first start. */
static inline uint64_t trace_time(const struct trace_threads *threads, uint32_t experiment, uint64_t time)
{
	return time + threads->times.shift[experiment];
}
/* "sqlite3", "app, MPI rank 3"; a text of the table. */
const char *trace_process_name(struct trace_threads *threads, uint32_t experiment);

#endif
