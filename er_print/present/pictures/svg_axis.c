/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the axis of a chart. */
#include "svg_axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TICK_WIDTH = 110 }; /* pixels: from one tick to the next at least */

double svg_axis_step(double span, double parts)
{
	static const double sizes[] = {1, 2, 5};
	double power = pow(10, floor(log10(fmax(span / fmax(parts, 1), 1))));
	for (unsigned i = 0; i < 3; i++)
		if (span / (sizes[i] * power) <= parts)
			return sizes[i] * power;
	return 10 * power;
}

void svg_axis_time(char text[PICTURE_VALUE_MAX], double time, double step)
{
	double decimals = fmax(0, -floor(log10(step / 1e9) + 1e-9));
	snprintf(text, PICTURE_VALUE_MAX, "%.*f s", (int)decimals, time / 1e9);
}

/* A time, or a value of the metric. */
static const char *tick_text(char text[PICTURE_VALUE_MAX], const struct picture *picture, double value, double step)
{
	const struct metric *row = &picture->tree->metrics->rows[picture->metric];
	if (row->unit != METRIC_NANOSECONDS)
		return picture_number(text, picture->options->setting, row->unit, value);
	svg_axis_time(text, value, step);
	return text;
}

void svg_axis_write(const struct picture *picture, unsigned height)
{
	const struct picture_panel *panel = picture->panels;
	const double begin = (double)picture->options->chart->begin, span = (double)panel->layout.total,
		     step = svg_axis_step(span, picture->full / TICK_WIDTH);
	fputs("<g id=\"axis\">\n", picture->file);
	for (double number = ceil(begin / step); number * step <= begin + span; number++) {
		double at = number * step + 0.0; /* no -0 */
		char text[PICTURE_VALUE_MAX];
		double part = picture->full * (at - begin) / span;
		fprintf(picture->file, "<path d=\"M%.1f %uv%u\"/>\n", panel->left + part, picture->top - 12,
			height + 12);
		tick_text(text, picture, at, step);
		if (part + 3 + (double)strlen(text) * PICTURE_CHARACTER <= picture->full)
			fprintf(picture->file, "<text x=\"%.1f\" y=\"%u\">%s</text>\n", panel->left + part + 3,
				picture->top - 4, text);
	}
	fputs("</g>\n", picture->file);
}
