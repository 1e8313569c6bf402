/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the value of each frame stands between the least and the most of a picture. */
#ifndef COLOUR_SCALE_H
#define COLOUR_SCALE_H

#include "path_tree.h"
#include "picture_value.h"

struct colour_scale {
	const struct path_tree *tree;
	const struct metric *metric;
	uint64_t *const *sums;           /* [metric][node], exclusive or inclusive */
	unsigned numerator, denominator; /* of a ratio; else the first is the metric */
	bool ratio;
	double whole; /* of a ratio: that of <Total>; else the largest value below <Total> */
};
/* The sums of the metric must be in the tree. */
struct colour_scale colour_scale_of(const struct path_tree *tree, unsigned metric, bool inclusive);
/* The value of a node as text: "0.909", or as picture_mean() has it. Returns `text`. */
const char *colour_scale_value(
	char text[PICTURE_VALUE_MAX], const struct colour_scale *scale, unsigned mean_of, uint32_t node);
/* The share of a ratio is from -1, a quarter of that of <Total>, to 1, four times as much, by its logarithm; others are from 0
   to 1. Node 0 is as the largest. */
double colour_scale_share(const struct colour_scale *scale, uint32_t node);

#endif
