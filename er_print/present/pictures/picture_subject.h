/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The subject of a picture: a tree of the session and a metric, as its settings sort, tree, compare and picture ask for them. */
#ifndef PICTURE_SUBJECT_H
#define PICTURE_SUBJECT_H

#include "difference_tree.h"
#include "session.h"
#include "time_chart.h"

enum picture_shape { SHAPE_FLAMEGRAPH, SHAPE_ICICLE, SHAPE_FLAMECHART, SHAPE_SANDWICH, SHAPE_SPACECHART, SHAPE_COUNT };

struct picture_subject {
	const struct path_tree *tree;
	unsigned metric;                 /* row of the tree's that is drawn */
	unsigned scale;                  /* row of the tree's that the palettes exclusive and inclusive show */
	unsigned *metrics, metric_count; /* rows of the tree's that a page can show: those with a sum */
	struct difference_side *sides;   /* a page of two groups: of each metric before and after, in pairs; else 0 */
	unsigned group;                  /* from 1: the picture is of that group alone; 0: of all that is loaded */
	struct difference_tree *difference; /* the tree is of the two groups that are compared; else 0 */
	struct time_chart *chart;           /* the tree is of this chart; else 0 */
	struct phase_report *spaces;        /* the chart is of these; else 0 */
	uint32_t callees;                   /* the tree is around a function, and its callees begin there; else 0 */
	unsigned experiments;               /* those that are drawn: their founders */
	uint64_t total;                     /* of what is drawn, by the sort metric */
	uint64_t whole;                     /* of all, in a picture around a function; else 0 */
	/* The line's words for one of several parts, for the heaviest processes and for the filter; 0: none. */
	const char *part, *heaviest, *filter;
	struct path_tree *owned;
};
/* False, after the session's error was set, if there is nothing that can be drawn. A page's reader chooses the shape of the tree.
   Free in both cases. */
bool picture_subject_find(
	struct session *session, enum picture_shape shape, bool page, struct picture_subject *subject);
/* Likewise of a picture around a function. A page has the whole tree. */
bool picture_subject_around(struct session *session, uint32_t function, bool page, struct picture_subject *subject);
void picture_subject_free(struct picture_subject *subject);
/* Whether two groups are drawn, and not one of them. */
static inline bool picture_subject_is_difference(const struct picture_subject *subject)
{
	return subject->difference || subject->sides;
}
/* The names of a chart's lanes, "sqlite3, process 71, thread 1"; texts of `texts`, in an array that the caller frees. */
const char **picture_subject_lanes(struct session *session, const struct picture_subject *subject, struct table *texts);
/* The line below the title, and the part of it that follows the metric with its total; of `texts`. */
const char *picture_subject_line(
	struct session *session, const struct picture_subject *subject, struct table *texts, const char **about);

#endif
