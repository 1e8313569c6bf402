/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture while it is written: the tree, what is drawn of it, the colours. For the files that write pictures. */
#ifndef PICTURE_H
#define PICTURE_H

#include "colour_scale.h"
#include "flamegraph.h"
#include "flamegraph_layout.h"

enum { PICTURE_MARGIN = 10 };

struct picture {
	FILE *file;
	const struct path_tree *tree;
	const struct flamegraph_options *options;
	struct flamegraph_layout layout;
	struct picture_function *functions;
	struct colour_scale scale; /* of the palettes exclusive and inclusive */
	bool *waker;               /* [node] it stands beyond a separator "--" */
	unsigned metric, width;
	double full;        /* pixels: the width of <Total> */
	double least;       /* pixels: frames that are thinner are not drawn by themselves */
	double least_share; /* of the total: likewise */
	double most;        /* of a difference: the largest change that has a colour */
};

/* Lays the tree out and finds its names and colours. */
void picture_prepare(struct picture *picture, const struct path_tree *tree, struct resolver *resolver, unsigned metric,
	const struct flamegraph_options *options);
void picture_free(struct picture *picture);

/* Whether colours show a metric. */
bool picture_has_scale(const struct picture *picture);
const struct picture_function *picture_function(const struct picture *picture, uint32_t node);
struct colour picture_colour(const struct picture *picture, uint32_t node);
/* Its colour in another palette than the setting's. */
struct colour picture_palette_colour(const struct picture *picture, enum picture_palette palette, uint32_t node);
/* The order of functions by name, for layouts of the picture's tree with its functions as context. */
flamegraph_order picture_by_name;

#endif
