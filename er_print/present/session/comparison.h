/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The setting `compare`: which groups stand side by side, and how. A group is what one argument of er_print, or one command, has
   loaded, or the events for which a filter is true; the first is the one that the others are compared with. */
#ifndef COMPARISON_H
#define COMPARISON_H

#include "error.h"
#include "expression.h"
#include "group_metrics.h"
#include <stdbool.h>
#include <stdio.h>

enum compare_mode { COMPARE_OFF, COMPARE_ON, COMPARE_DELTA, COMPARE_RATIO, COMPARE_MODE_COUNT };
const char *compare_mode_name(enum compare_mode mode);

/* Zero-initialised: not compared. */
struct comparison {
	enum compare_mode mode;
	bool by_change;  /* rows are in the order of their changes */
	bool by_elapsed; /* values are scaled to the first group's elapsed time */
	char *by_metric; /* or to its total of this metric; 0: not */
	/* The filters whose events are the groups; 0: these are groups of experiments. */
	struct expression **parts;
	char **part_text; /* what they were read from */
	unsigned part_count;
	/* Computed when first asked for: use the functions below. */
	struct group_metrics metrics;
	double *scale;  /* by group */
	double *sample; /* by row of metrics.table: group_metrics_sample_size() */
};
/* Reads "delta:by=elapsed:order=change", or "on:parts=PHASE==1;PHASE==2", into a setting that is left alone if that is bad. The
   definition is of names in filters: see expression_parse(). */
bool comparison_parse(struct comparison *comparison, const char *text, expression_definition *definition,
	const void *context, struct error *error);
/* Writes the text that a setting is read from. */
void comparison_write(const struct comparison *comparison, FILE *out);
/* Whether values are multiplied to make groups comparable. */
static inline bool comparison_is_scaled(const struct comparison *comparison)
{
	return comparison->by_elapsed || comparison->by_metric;
}
/* Forgets what was computed. */
void comparison_forget(struct comparison *comparison);
void comparison_free(struct comparison *comparison);

struct session;
/* How many groups stand side by side; 1: they are not compared, or there is but one. */
unsigned session_groups(const struct session *session);
/* session_table()'s rows, while groups are compared once for each group. */
const struct metric_table *session_group_table(struct session *session);
/* The row of the sums that holds metric `metric` of session_table() for group 0, 1, ... */
unsigned session_group_metric(struct session *session, unsigned metric, unsigned group);
/* Whether events of the experiment can be of a group, from 1; 0: of any. */
bool session_group_has(const struct session *session, uint32_t group, uint32_t experiment);
/* "after.er", what the group's argument is called, short where that is enough to tell groups apart, or its filter; the
   session's. */
const char *session_group_name(const struct session *session, unsigned group);
/* The factor that makes values of a group comparable with the first group's. */
double session_group_scale(struct session *session, unsigned group);
/* Whether it makes the totals of this metric of session_table() equal. */
bool session_scale_is_share(struct session *session, unsigned metric);
/* Adds the lines under a table about how groups were compared, if they are in it. */
struct table;
void comparison_footnotes(struct session *session, struct table *table);
/* How much one sample of a row of session_sum_table() stands for; 0: it is not sampled. */
double session_sample_size(struct session *session, unsigned row);

#endif
