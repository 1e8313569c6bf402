/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A metric of each thread as a series. */
#ifndef METRIC_SERIES_H
#define METRIC_SERIES_H

#include "metric_events.h"
#include "series.h"

/* Cells of a series: so many for each event, and no more. */
#define SERIES_CELLS_BY_EVENT 4u
#define SERIES_CELLS_MOST     (1u << 18)

struct metric_series {
	unsigned parts;               /* 1, of a ratio 2: what is divided, and by what */
	const struct metric *rows[2]; /* by part */
	struct metric_events events[2];
	struct metric_thread {
		uint32_t experiment, thread;
		size_t first[2], count[2]; /* by part: its events */
		uint64_t from, to; /* ns since the founder's start: from when its first event counts, to its last one */
	} * threads;               /* by experiment, thread */
	uint32_t thread_count;
};
void metric_series_read(struct metric_series *series, struct data *data, const struct metric_table *metrics,
	unsigned metric, const struct event_filter *filter);
void metric_series_free(struct metric_series *series);

/* A part of the thread's metric in each cell. What lasted counts in the cells that it lasted in. A sample of the clock or of a
   counter reaches back to the sample before it, but over a gap no further than it stands for (of the clock, twice its value; of a
   counter, twice the thread's median time between samples). What else has a time and no length counts in its cell. The caller
   frees the values. */
struct series metric_series_part(const struct metric_series *series, uint32_t thread, unsigned part);

/* The parts' values: of a metric that is no ratio those of the only part; of a ratio their quotients, where there is none the one
   before. The caller frees them. */
struct series metric_series_values(const struct metric_series *series, const struct series parts[2]);

#endif
