/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes shares of scales. */
#include "colour_scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DOUBLINGS 2.0 /* from the middle of a ratio's scale to its ends */

static double value_of(const struct colour_scale *scale, uint32_t node)
{
	double value = (double)scale->sums[scale->numerator][node];
	return scale->ratio ? value / (double)scale->sums[scale->denominator][node] : value;
}

struct colour_scale colour_scale_of(const struct path_tree *tree, unsigned metric, bool inclusive)
{
	const struct metric *row = &tree->metrics->rows[metric];
	struct colour_scale scale = {.tree = tree,
		.metric = row,
		.sums = inclusive ? tree->inclusive : tree->exclusive,
		.ratio = row->unit == METRIC_RATIO};
	scale.numerator = scale.ratio ? (unsigned)row->numerator : metric;
	scale.denominator = scale.ratio ? (unsigned)row->denominator : metric;
	if (scale.ratio) {
		scale.whole =
			(double)tree->inclusive[scale.numerator][0] / (double)tree->inclusive[scale.denominator][0];
		return scale;
	}
	for (uint32_t node = 1; node < tree->count; node++)
		scale.whole = fmax(scale.whole, value_of(&scale, node));
	return scale;
}

double colour_scale_share(const struct colour_scale *scale, uint32_t node)
{
	if (!scale->ratio)
		return scale->whole > 0 ? fmin(value_of(scale, node) / scale->whole, 1) : 0;
	double doublings = log2(value_of(scale, node) / scale->whole);
	return isnan(doublings) ? 0 : fmax(-1, fmin(1, doublings / DOUBLINGS));
}

const char *colour_scale_value(
	char text[PICTURE_VALUE_MAX], const struct colour_scale *scale, unsigned mean_of, uint32_t node)
{
	if (!scale->ratio)
		return picture_mean(text, mean_of, scale->metric->unit, (double)scale->sums[scale->numerator][node]);
	if (scale->sums[scale->denominator][node])
		snprintf(text, PICTURE_VALUE_MAX, "%.3f", value_of(scale, node));
	else
		strcpy(text, "-");
	return text;
}
