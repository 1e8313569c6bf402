/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The courses whose iterations are looked for: of a metric, or of the code spaces that a thread is in. */
#ifndef ITERATION_SOURCE_H
#define ITERATION_SOURCE_H

#include "iterations.h"
#include "metric_series.h"
#include "space_report.h"
#include "space_series.h"

struct iteration_source {
	struct session *session;
	const struct metric *row; /* 0: code spaces */
	struct metric_series metric;
	struct space_report spaces;
	struct space_series series; /* of these */
	uint32_t thread_count;
};
/* A thread's course at the first resolution. */
struct iteration_course {
	struct series parts[2]; /* of a metric: metric_series_part(); of spaces: the values, and nothing */
	struct series values;
};

/* That of a metric, by its number, or of code spaces. False: there is none, and the session's user was told so. */
bool iteration_source_begin(struct iteration_source *source, struct session *session, bool spaces, unsigned metric);
void iteration_source_end(struct iteration_source *source);
/* "Bytes Allocated", "code spaces". */
const char *iteration_source_title(const struct iteration_source *source);

struct iteration_course iteration_course_make(const struct iteration_source *source, uint32_t thread);
void iteration_course_free(struct iteration_course *course);
/* The metric's value from one cell to another, half-open. */
double iteration_course_value(
	const struct iteration_source *source, const struct iteration_course *course, uint64_t from, uint64_t to);

/* A thread by the numbers of its experiment and in it, as filters have them. */
struct iteration_thread {
	uint32_t experiment, thread;
};
struct iteration_thread iteration_thread_of(const struct iteration_source *source, uint32_t thread);
/* The function or space that differs most in an odd window from as much of the thread's other iterations, a text of the table:
   "+80.0 % work", by `usual`; of spaces "+35.0 % space 2: work+0x10,+0x40", by time. "" for a ratio. */
const char *iteration_change(const struct iteration_source *source, struct table *table, uint32_t thread,
	const struct iteration_course *course, const struct iterations *iterations, uint32_t start, double usual);

#endif
