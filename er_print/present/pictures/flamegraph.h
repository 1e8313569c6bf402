/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of a tree of call paths: one self-contained SVG file. A frame's width is its inclusive value, the blank beyond it its
   exclusive one; siblings stand from their caller's left edge on. The script inside gives hover, zoom and search, and makes the
   picture as wide as the window if no width is set; without it the picture still shows everything. */
#ifndef FLAMEGRAPH_H
#define FLAMEGRAPH_H

#include "difference_tree.h"
#include "error.h"
#include "key_sums.h"
#include "path_tree.h"
#include "picture_functions.h"
#include "picture_setting.h"
#include "resolver.h"
#include "time_chart.h"
#include <stdio.h>

/* More frames make browsers slow. */
enum { PICTURE_FRAMES_MOST = 20000 };

struct flamegraph_options {
	const struct picture_setting *setting;
	const char *title;  /* e.g. "Leaks Flame Graph: " and the target's command */
	const char *titled; /* what follows the metric in the title of a page; 0: the title does not name the metric */
	const char *subtitle; /* e.g. the metric and the experiment */
	const char *about;    /* what follows the metric and its total in the subtitle of a page */
	bool icicle;          /* the root is above; else it is below */
	double threshold;     /* percent of the total: frames of less are too thin as well */
	uint32_t depth;       /* levels on top of the root; 0: all */
	unsigned scale;       /* the metric of the palettes exclusive and inclusive */
	struct picture_naming naming;
	/* A page has these metrics, rows of the tree's with sums, the drawn one among them. */
	const unsigned *metrics;
	unsigned metric_count;
	/* The sides of these metrics, which are pairs of rows before and after, in a page of a difference; 0: in another. */
	const struct difference_side *sides;
	const struct key_sums *functions; /* a page has a table of them; 0: none */
	unsigned experiments;             /* a page shows sums or means of so many */
	bool leaf_first;                  /* a page begins with the leaves */
	/* The tree is of this difference, and the metric is DIFFERENCE_DRAWN; 0: of no difference. Not in a page. */
	const struct difference_tree *difference;
	/* The tree is of this chart, and the metric is its only row; 0: of none. */
	const struct time_chart *chart;
	const char *const *lanes; /* names of the chart's lanes */
	/* The tree is that of path_tree_around, whose callees begin at this node, and percentages are of `whole`; 0: it is not. A
	   page has the whole tree, and begins with what is around the function of this name. */
	uint32_t callees;
	uint64_t whole;
	const char *around;
};

/* Whether there is something to draw: ask before a file is opened, which would be emptied for nothing. *error if there is not. */
bool flamegraph_has_total(const struct path_tree *tree, unsigned metric, struct error *error);
/* Draws the metric's inclusive values of `tree` (nodes by function: path_tree_merge). The same tree gives the
 * same bytes. False and *error if the total is 0 or nothing was recorded. What the file says of writing is left to the caller. */
bool flamegraph_write(FILE *file, const struct path_tree *tree, struct resolver *resolver, unsigned metric,
	const struct flamegraph_options *options, struct error *error);

/* Draws likewise as a page in HTML, of a tree from the root; its reader can turn it over, and choose other metrics. */
bool page_write(FILE *file, const struct path_tree *tree, struct resolver *resolver, unsigned metric,
	const struct flamegraph_options *options, struct error *error);

#endif
