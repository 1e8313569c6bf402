/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture while it is written: the tree, what is drawn of it, the colours. For the files that write pictures. */
#ifndef PICTURE_H
#define PICTURE_H

#include "colour_scale.h"
#include "flamegraph.h"
#include "flamegraph_layout.h"

enum { PICTURE_MARGIN = 10, PICTURE_GAP = 12, PICTURE_PANELS = 3 }; /* pixels; and panels at most */
#define PICTURE_BUNDLE          0.0025 /* of a chart: the frames of a bundle begin within so much; tree_view.js has the same */
#define PICTURE_TITLE_CHARACTER 9.64 /* pixels, of the title's 16 px font */
#define PICTURE_CHARACTER       6.62 /* pixels, of the 11 px monospace font; frame_text.js fits names the same way */

/* One of the graphs of a picture, side by side. */
struct picture_panel {
	const char *name; /* "before"; a picture with one panel shows none */
	unsigned metric;  /* row of the tree's that is drawn */
	double parts;     /* values are in so many parts of the metric's unit */
	double left;      /* pixels */
	uint32_t root;    /* the node that stands in its row 0 */
	bool up; /* callers stand above it, in the panel of the callers around a function, which does not draw it */
	struct flamegraph_layout layout;
};

struct picture {
	FILE *file;
	const struct path_tree *tree;
	const struct flamegraph_options *options;
	struct picture_panel panels[PICTURE_PANELS];
	unsigned panel_count;
	uint32_t depth; /* of the highest frame of all panels */
	struct picture_function *functions;
	struct colour_scale scale; /* of the palettes exclusive and inclusive */
	bool *waker;               /* [node] it stands beyond a separator "--" */
	unsigned metric, width;
	unsigned top;       /* pixels: above the frames */
	double full;        /* pixels: the width of a panel */
	double least;       /* pixels: frames that are thinner are not drawn by themselves */
	double least_share; /* of the total: likewise */
	double most;        /* of a difference: the largest change that has a colour */
};

/* Lays the tree out and finds its names and colours. */
void picture_prepare(struct picture *picture, const struct path_tree *tree, struct resolver *resolver, unsigned metric,
	const struct flamegraph_options *options);
void picture_free(struct picture *picture);

/* The total that the setting asks for, in the metric's own units; 0: none, as in a picture of a difference or around a function.
 */
uint64_t picture_base(const struct picture *picture);
#define PICTURE_TOTAL_MOST 9007199254740992.0 /* 2 to the 53rd: scripts know no larger numbers exactly */
/* Pixels: the size of names, the width of a character of them, and from one row of frames to the next. */
unsigned picture_text(const struct picture *picture);
double picture_character(const struct picture *picture);
unsigned picture_row(const struct picture *picture);
/* Percent of <Total> of a panel, or of the total that the setting asks for. */
double picture_percent(const struct picture_panel *panel, uint64_t value);
/* Whether frames stand in the order that their nodes have; else in that of the setting. */
bool picture_is_in_order(const struct picture *picture);
/* Whether colours show a metric. */
bool picture_has_scale(const struct picture *picture);
/* "exclusive" or "inclusive", where the palette shows one of them. */
const char *picture_scale_flavour(const struct picture *picture);
const struct picture_function *picture_function(const struct picture *picture, uint32_t node);
/* Whether a node stands for a thread, in a chart by time. */
bool picture_is_lane(const struct picture *picture, uint32_t node);
struct colour picture_colour(const struct picture *picture, uint32_t node);
/* Its colour in another palette than the setting's. */
struct colour picture_palette_colour(const struct picture *picture, enum picture_palette palette, uint32_t node);
/* The order of functions by name, for layouts of the picture's tree with its functions as context. */
flamegraph_order picture_by_name;

#endif
