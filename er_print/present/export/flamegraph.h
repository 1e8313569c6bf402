/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of a tree of call paths: one self-contained SVG file, root at the bottom, siblings in
 * alphabetical order, a frame's width its inclusive value, the blank above it its exclusive one. The script
 * inside gives hover, zoom and search; without a script the picture still shows everything. */
#ifndef FLAMEGRAPH_H
#define FLAMEGRAPH_H

#include "error.h"
#include "path_tree.h"
#include "resolver.h"
#include <stdio.h>

struct flamegraph_options {
	const char *title;    /* e.g. the target's command */
	const char *subtitle; /* e.g. the metric and the experiment */
	/* The name of a function as the session shows names. Static or interned: compared and printed, not
	 * kept. */
	const char *(*function_name)(const void *context, uint32_t function);
	const void *context;
};

/* Whether there is something to draw: ask before a file is opened, which would be emptied for nothing. *error if there is not. */
bool flamegraph_has_total(const struct path_tree *tree, unsigned metric, struct error *error);
/* Draws the metric's inclusive values of `tree` (nodes by function: path_tree_merge). The same tree gives the
 * same bytes. False if the total is 0 or nothing was recorded, or the file cannot be written; *error says
 * which. */
bool flamegraph_write(FILE *file, const struct path_tree *tree, struct resolver *resolver, unsigned metric,
	const struct flamegraph_options *options, struct error *error);

#endif
