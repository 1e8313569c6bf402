/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes rectangles, tooltips and names. */
#include "svg_frames.h"
#include "picture_change.h"
#include "picture_value.h"
#include "storage.h"
#include "svg_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A place in pixels with one decimal, or none where that is 0: 20 000 frames have two each. */
static void put_pixels(FILE *file, double pixels)
{
	char text[32];
	int length = snprintf(text, sizeof text, "%.1f", pixels);
	if (length > 2 && !strcmp(text + length - 2, ".0"))
		text[length - 2] = 0;
	fputs(text, file);
}

static double frame_x(
	const struct picture *picture, const struct picture_panel *panel, const struct flamegraph_frame *frame)
{
	return panel->left + picture->full * ((double)frame->start / (double)panel->layout.total);
}

static double frame_width(
	const struct picture *picture, const struct picture_panel *panel, const struct flamegraph_frame *frame)
{
	return picture->full * ((double)frame->value / (double)panel->layout.total);
}

static void put_scale_value(const struct picture *picture, uint32_t node)
{
	char text[PICTURE_VALUE_MAX];
	fprintf(picture->file, "; %s ", picture_scale_flavour(picture));
	svg_text(picture->file, picture->scale.metric->title, strlen(picture->scale.metric->title));
	fprintf(picture->file, " %s",
		colour_scale_value(text, &picture->scale, picture->options->setting->mean_of, node));
}

struct frame_name {
	const char *text;
	size_t length;
	char bundle[64];
};
/* The root of what is missing after, in a picture of a difference. */
static bool is_missing_root(const struct picture *picture, const struct flamegraph_frame *frame)
{
	const struct difference_tree *difference = picture->options->difference;
	return difference && frame->node && frame->node == difference->missing && !frame->bundled;
}

static const char *lane_of(const struct picture *picture, uint32_t node)
{
	const struct time_chart *chart = picture->options->chart;
	for (uint32_t i = 0; i < chart->lane_count; i++)
		if (chart->lanes[i].node == node)
			return picture->options->lanes[i];
	return "";
}

static void name_frame(const struct picture *picture, const struct flamegraph_frame *frame, struct frame_name *name)
{
	const struct picture_function *function = picture_function(picture, frame->node);
	name->text = frame->bundled ? name->bundle : function->name;
	name->length = function->length;
	if (is_missing_root(picture, frame))
		*name = (struct frame_name){.text = "missing", .length = strlen("missing")};
	if (picture_is_lane(picture, frame->node) && !frame->bundled) {
		name->text = lane_of(picture, frame->node);
		name->length = strlen(name->text);
	}
	if (frame->bundled)
		name->length = (size_t)snprintf(name->bundle, sizeof name->bundle, "(%u thin frames)", frame->bundled);
}

static struct colour colour_of(const struct picture *picture, const struct flamegraph_frame *frame)
{
	return picture_colour(picture, frame->bundled ? frame->like : frame->node);
}

/* A value of a panel: a chart by time has the time in microseconds. */
static const char *amount_of(
	char text[PICTURE_VALUE_MAX], const struct picture *picture, const struct picture_panel *panel, double value)
{
	const struct time_chart *chart = picture->options->chart;
	if (chart && chart->timed)
		return picture_microseconds(text, value);
	return picture_amount(
		text, picture->options->setting, &picture->tree->metrics->rows[panel->metric], value / panel->parts);
}

/* "from 1.250000 sec., "; an imported profile begins with its first sample, which stands for time before it. */
static void put_start(
	const struct picture *picture, const struct picture_panel *panel, const struct flamegraph_frame *frame)
{
	char value[PICTURE_VALUE_MAX];
	int64_t start = picture->options->chart->begin + (int64_t)frame->start;
	fprintf(picture->file, "from %s%s, ", start < 0 ? "-" : "",
		amount_of(value, picture, panel, fabs((double)start)));
}

/* The words about a frame beside its name. */
static void put_value(
	const struct picture *picture, const struct picture_panel *panel, const struct flamegraph_frame *frame)
{
	const struct difference_tree *difference = picture->options->difference;
	char value[PICTURE_VALUE_MAX];
	if (difference && !frame->bundled) {
		picture_change_write(picture, frame->node);
		return;
	}
	if (picture->options->chart)
		put_start(picture, panel, frame);
	fprintf(picture->file, "%s, %.2f%%", amount_of(value, picture, panel, (double)frame->value),
		picture_percent(panel, frame->value));
	if (picture_has_scale(picture) && !frame->bundled)
		put_scale_value(picture, frame->node);
}

static bool is_hatched(const struct picture *picture, const struct flamegraph_frame *frame)
{
	const struct difference_tree *difference = picture->options->difference;
	return difference && difference_is_missing(difference, frame->node) && !frame->bundled;
}

static void put_fill(const struct picture *picture, const struct flamegraph_frame *frame)
{
	struct colour colour = colour_of(picture, frame);
	if (is_hatched(picture, frame))
		fputs(MISSING_FILL, picture->file);
	else
		fprintf(picture->file, "#%02x%02x%02x", colour.red, colour.green, colour.blue);
}

/* Chromium is slow with thousands of titles inside rectangles, and fast with both in a group. */
static void put_rect(
	const struct picture *picture, const struct picture_panel *panel, const struct flamegraph_frame *frame)
{
	FILE *file = picture->file;
	struct frame_name name;
	name_frame(picture, frame, &name);
	fputs("<g><title>", file);
	svg_text(file, name.text, name.length);
	fputs(" (", file);
	put_value(picture, panel, frame);
	fputs(")</title><rect x=\"", file);
	put_pixels(file, frame_x(picture, panel, frame));
	fputs("\" width=\"", file);
	put_pixels(file, frame_width(picture, panel, frame));
	fprintf(file, "\" height=\"%u\" fill=\"", picture_row(picture) - 1);
	put_fill(picture, frame);
	fputs("\"/></g>\n", file);
}

/* The name if it fits, else its beginning and an ellipsis, else nothing. */
static void put_name(
	const struct picture *picture, const struct picture_panel *panel, const struct flamegraph_frame *frame)
{
	int room = (int)((frame_width(picture, panel, frame) - 6) / picture_character(picture));
	struct frame_name name;
	bool is_light = !is_hatched(picture, frame) && colour_is_dark(colour_of(picture, frame));
	if (room < 3)
		return;
	name_frame(picture, frame, &name);
	fputs("<text x=\"", picture->file);
	put_pixels(picture->file, frame_x(picture, panel, frame) + 3);
	fprintf(picture->file, "\" y=\"%u\"%s>", picture_text(picture), is_light ? " class=\"light\"" : "");
	if (picture->options->difference && !frame->bundled) {
		const char *sign = picture_change_sign(picture, frame->node);
		fputs(sign, picture->file);
		room -= (int)strlen(sign);
	}
	if (room > 0)
		svg_text_cut(picture->file, name.text, name.length, (size_t)room);
	fputs("</text>\n", picture->file);
}

/* Frames by their depth, each row from left to right; ends[depth]: the end of its part of the list. The caller frees both. */
static uint32_t *frames_by_row(const struct flamegraph_layout *layout, uint32_t **ends)
{
	uint32_t *places = memory_new((size_t)layout->depth + 2, sizeof *places);
	uint32_t *list = memory_new(layout->count, sizeof *list);
	for (uint32_t i = 0; i < layout->count; i++)
		places[layout->frames[i].depth + 1]++;
	for (uint32_t depth = 0; depth <= layout->depth; depth++)
		places[depth + 1] += places[depth];
	for (uint32_t i = 0; i < layout->count; i++)
		list[places[layout->frames[i].depth]++] = i;
	*ends = places;
	return list;
}

static uint32_t row_of(const struct picture *picture, const struct picture_panel *panel, uint32_t depth)
{
	uint32_t callers = picture->options->callees ? picture->panels[0].layout.depth : 0;
	if (panel->up)
		return callers - depth;
	return picture->options->icicle ? callers + depth : picture->depth - depth;
}

static void put_panel(const struct picture *picture, const struct picture_panel *panel)
{
	const struct flamegraph_layout *layout = &panel->layout;
	uint32_t *ends, *list = frames_by_row(layout, &ends);
	for (uint32_t depth = 0; depth <= layout->depth && layout->count; depth++) {
		uint32_t first = depth ? ends[depth - 1] : 0;
		if (panel->up && !depth)
			continue;
		fprintf(picture->file, "<g transform=\"translate(0,%u)\">\n",
			picture->top + row_of(picture, panel, depth) * picture_row(picture));
		for (uint32_t i = first; i < ends[depth]; i++)
			put_rect(picture, panel, &layout->frames[list[i]]);
		for (uint32_t i = first; i < ends[depth]; i++)
			put_name(picture, panel, &layout->frames[list[i]]);
		fputs("</g>\n", picture->file);
	}
	free(ends);
	free(list);
}

void svg_frames_write(const struct picture *picture)
{
	fprintf(picture->file, "<g id=\"frames\"%s>\n", picture->options->difference ? " class=\"changes\"" : "");
	for (unsigned p = 0; p < picture->panel_count; p++)
		put_panel(picture, &picture->panels[p]);
	fputs("</g>\n", picture->file);
}
