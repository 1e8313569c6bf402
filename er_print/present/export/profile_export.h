/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile for another tool: the call paths with the metrics that are shown, as all exports of profiles see it, and the file that
   it goes to. */
#ifndef PROFILE_EXPORT_H
#define PROFILE_EXPORT_H

#include "session.h"
#include <stdio.h>

struct profile_export {
	struct session *session;
	struct path_tree const *by_pc, *by_function; /* the same sums: paths by instruction, and by function */
	unsigned metrics
		[METRIC_ITEMS_MAX]; /* rows of session_table(): those that are shown and have sums, no ratios; at least one */
	unsigned metric_count;
	unsigned chosen; /* the one that lists are sorted by, or else the first */
	struct table texts;
	const char **names; /* by function, 0: not asked for yet */
	uint32_t name_count;
	struct error error; /* set by a writer that fails */
};
/* Writes the profile. False if it cannot be; *error says why, or else the file's own error does. */
typedef bool profile_writer(struct profile_export *export, FILE *file);

/* Runs a command that writes a profile to `path`, "-" for standard output. Where there is nothing to write, no file is opened. Text
   is kept free of control characters and of what is no UTF-8. */
bool profile_export_run(struct session *session, const char *path, bool binary, profile_writer *writer);

/* A function's name as lists show it. */
const char *profile_export_name(struct profile_export *export, uint32_t function);
/* A metric's row, and its sum over all. */
const struct metric *profile_export_metric(const struct profile_export *export, unsigned metric);
uint64_t profile_export_total(const struct profile_export *export, unsigned metric);
/* Whether something was counted at the end of a path, in one of the metrics. */
bool profile_export_counts(const struct profile_export *export, const struct path_tree *tree, uint32_t node);

#endif
