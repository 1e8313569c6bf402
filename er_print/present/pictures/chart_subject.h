/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The subject of a picture by time: the events of a metric in each thread, or the phases and code spaces that it went through. */
#ifndef CHART_SUBJECT_H
#define CHART_SUBJECT_H

#include "phase_report.h"
#include "picture_functions.h"
#include "picture_subject.h"

/* The chart is of the sort metric. False, after the session's error was set, if there is nothing that can be drawn. */
bool chart_subject_find(struct session *session, bool page, struct picture_subject *subject);
/* ", 2 threads, by time", and how many events it lacks; "" for a subject that is no chart. A text of `texts`. */
const char *chart_subject_facts(const struct picture_subject *subject, struct table *texts);

/* "sqlite3, process 71, thread 1" of each thread; texts of `texts`, in an array that the caller frees. */
struct thread_key {
	uint32_t experiment, thread;
};
const char **chart_thread_names(
	struct session *session, const struct thread_key *threads, uint32_t count, struct table *texts);

/* The chart is of the phases and spaces. False as above. */
bool space_subject_find(struct session *session, bool page, struct picture_subject *subject);
void space_subject_free(struct phase_report *report);
/* Names of its frames are, in the order of the alphabet, these, those of phases, and those of spaces. */
#define SPACE_CHART_TOTAL  "<Total>"
#define SPACE_CHART_OTHERS "other spaces"
/* The names and colours of its frames; `naming` and its texts must live as long. */
struct space_naming {
	const struct phase_report *report;
	struct table *texts;
};
struct picture_naming space_subject_naming(const struct space_naming *naming);

#endif
