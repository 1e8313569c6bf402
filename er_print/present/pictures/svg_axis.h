/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The axis above a chart by time. */
#ifndef SVG_AXIS_H
#define SVG_AXIS_H

#include "picture.h"
#include "picture_value.h"

/* The least step of 1, 2 or 5 times a power of ten, at least 1, of which a span has so many at most. chart_axis.js
   has the same. */
double svg_axis_step(double span, double parts);
/* "1.25 s", a time in nanoseconds with as many decimals as the step needs. */
void svg_axis_time(char text[PICTURE_VALUE_MAX], double time, double step);
/* Writes a line through all rows at each step, and above it when or where that is. `height`: of all rows. */
void svg_axis_write(const struct picture *picture, unsigned height);

#endif
