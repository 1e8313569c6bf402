/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spans of a thread's time, one inside of the other, as the changes that they are. */
#ifndef OMP_SPANS_H
#define OMP_SPANS_H

#include "omp_times.h"

#define OMP_OPEN UINT64_MAX
struct omp_span {
	uint64_t from, to;     /* ns; OMP_OPEN: it has not ended yet */
	uint32_t region, task; /* places; task NO_NUMBER: that of the span around it, if it is of the same region */
	uint32_t stack;        /* of a wait; else 0 */
	enum omp_state state;
	bool until_region; /* it ends with its region */
};
struct omp_spans {
	struct omp_span *spans;
	uint32_t count, capacity;
};
/* Sorts them. A span that does not lie inside of another one ends with it. Between them the thread is in that state. */
void omp_spans_changes(struct omp_spans *spans, enum omp_state between, struct omp_thread_times *changes);

#endif
