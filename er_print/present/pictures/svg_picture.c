/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a laid-out tree of call paths as an interactive SVG file. */
#include "flamegraph.h"
#include "picture.h"
#include "picture_change.h"
#include "picture_data.h"
#include "picture_files.h"
#include "picture_value.h"
#include "storage.h"
#include "svg_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ROW = 16, TOP = 52, BOTTOM = 50, LINE = 16 };
enum { TITLE_BESIDE = 380 };                /* pixels: what stands on both sides of the title */
static const double character_width = 6.62; /* of the 11 px monospace font; frame_text.js fits names the same way */
static const double title_character_width = 9.64; /* of its 16 px font */

/* A place in pixels with one decimal, or none where that is 0: 20 000 frames have two each. */
static void put_pixels(FILE *file, double pixels)
{
	char text[32];
	int length = snprintf(text, sizeof text, "%.1f", pixels);
	if (length > 2 && !strcmp(text + length - 2, ".0"))
		text[length - 2] = 0;
	fputs(text, file);
}

static double frame_x(const struct picture *picture, const struct flamegraph_frame *frame)
{
	return PICTURE_MARGIN + picture->full * ((double)frame->start / (double)picture->layout.total);
}

static double frame_width(const struct picture *picture, const struct flamegraph_frame *frame)
{
	return picture->full * ((double)frame->value / (double)picture->layout.total);
}

static const char *scale_flavour(const struct picture *picture)
{
	return picture->options->setting->palette == PALETTE_exclusive ? "exclusive" : "inclusive";
}

static void put_scale_value(const struct picture *picture, uint32_t node)
{
	char text[PICTURE_VALUE_MAX];
	fprintf(picture->file, "; %s ", scale_flavour(picture));
	svg_text(picture->file, picture->scale.metric->title, strlen(picture->scale.metric->title));
	fprintf(picture->file, " %s", colour_scale_value(text, &picture->scale, node));
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

static void name_frame(const struct picture *picture, const struct flamegraph_frame *frame, struct frame_name *name)
{
	const struct picture_function *function = picture_function(picture, frame->node);
	name->text = frame->bundled ? name->bundle : function->name;
	name->length = function->length;
	if (is_missing_root(picture, frame))
		*name = (struct frame_name){.text = "missing", .length = strlen("missing")};
	if (frame->bundled)
		name->length = (size_t)snprintf(name->bundle, sizeof name->bundle, "(%u thin frames)", frame->bundled);
}

static struct colour colour_of(const struct picture *picture, const struct flamegraph_frame *frame)
{
	return picture_colour(picture, frame->bundled ? 0 : frame->node);
}

static double percent_of(const struct picture *picture, uint64_t value)
{
	return picture->layout.whole ? 100.0 * (double)value / (double)picture->layout.whole : 0;
}

/* The words about a frame beside its name. */
static void put_value(const struct picture *picture, const struct flamegraph_frame *frame)
{
	const struct difference_tree *difference = picture->options->difference;
	char value[PICTURE_VALUE_MAX];
	if (difference && !frame->bundled) {
		picture_change_write(picture, frame->node);
		return;
	}
	uint64_t amount = difference ? (uint64_t)((double)frame->value / difference->drawn_parts + 0.5) : frame->value;
	fprintf(picture->file, "%s, %.2f%%",
		picture_value(value, picture->tree->metrics->rows[picture->metric].unit, amount),
		percent_of(picture, frame->value));
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
static void put_rect(const struct picture *picture, const struct flamegraph_frame *frame)
{
	FILE *file = picture->file;
	struct frame_name name;
	name_frame(picture, frame, &name);
	fputs("<g><title>", file);
	svg_text(file, name.text, name.length);
	fputs(" (", file);
	put_value(picture, frame);
	fputs(")</title><rect x=\"", file);
	put_pixels(file, frame_x(picture, frame));
	fputs("\" width=\"", file);
	put_pixels(file, frame_width(picture, frame));
	fprintf(file, "\" height=\"%d\" fill=\"", ROW - 1);
	put_fill(picture, frame);
	fputs("\"/></g>\n", file);
}

/* The name if it fits, else its beginning and an ellipsis, else nothing. */
static void put_name(const struct picture *picture, const struct flamegraph_frame *frame)
{
	int room = (int)((frame_width(picture, frame) - 6) / character_width);
	struct frame_name name;
	bool is_light = !is_hatched(picture, frame) && colour_is_dark(colour_of(picture, frame));
	if (room < 3)
		return;
	name_frame(picture, frame, &name);
	fputs("<text x=\"", picture->file);
	put_pixels(picture->file, frame_x(picture, frame) + 3);
	fprintf(picture->file, "\" y=\"11\"%s>", is_light ? " class=\"light\"" : "");
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

static void put_frames(const struct picture *picture)
{
	const struct flamegraph_layout *layout = &picture->layout;
	uint32_t *ends, *list = frames_by_row(layout, &ends);
	fprintf(picture->file, "<g id=\"frames\"%s>\n", picture->options->difference ? " class=\"changes\"" : "");
	for (uint32_t depth = 0; depth <= layout->depth; depth++) {
		uint32_t row = picture->options->icicle ? depth : layout->depth - depth,
			 first = depth ? ends[depth - 1] : 0;
		fprintf(picture->file, "<g transform=\"translate(0,%u)\">\n", TOP + row * ROW);
		for (uint32_t i = first; i < ends[depth]; i++)
			put_rect(picture, &layout->frames[list[i]]);
		for (uint32_t i = first; i < ends[depth]; i++)
			put_name(picture, &layout->frames[list[i]]);
		fputs("</g>\n", picture->file);
	}
	fputs("</g>\n", picture->file);
	free(ends);
	free(list);
}

/* A text of at most `room` characters. */
static void put_label(
	FILE *file, const char *id, double x, unsigned y, const char *attributes, const char *text, size_t room)
{
	fprintf(file, "<text id=\"%s\" x=\"%g\" y=\"%u\"%s>", id, x, y, attributes);
	svg_text_cut(file, text, strlen(text), room);
	fputs("</text>\n", file);
}

static void put_hidden(const struct picture *picture, unsigned y)
{
	const struct flamegraph_layout *layout = &picture->layout;
	char note[160] = "";
	if (layout->hidden_frames)
		snprintf(note, sizeof note, "%u %s, %.4f %%, not drawn: thinner than %.3g px%s", layout->hidden_frames,
			layout->hidden_frames == 1 ? "frame" : "frames", percent_of(picture, layout->hidden_value),
			layout->least_share * picture->full,
			picture->options->depth && layout->depth == picture->options->depth ? ", or too deep" : "");
	put_label(picture->file, "note", PICTURE_MARGIN, y, "", note, SIZE_MAX);
}

static void put_change_legend(const struct picture *picture, unsigned y)
{
	char *text = picture_change_legend(picture);
	put_label(picture->file, "legend", picture->width - PICTURE_MARGIN, y, "", text,
		(size_t)(picture->full / character_width));
	free(text);
}

/* Says what colours mean, where they have a scale. */
static void put_legend(const struct picture *picture, unsigned y)
{
	const struct picture_setting *setting = picture->options->setting;
	const struct colour_scale *scale = &picture->scale;
	if (picture->options->difference)
		put_change_legend(picture, y);
	if (!picture_has_scale(picture))
		return;
	char text[256], value[PICTURE_VALUE_MAX];
	if (scale->ratio)
		snprintf(text, sizeof text, "Colour: %s %s; grey is that of all, %.3f; %s", scale_flavour(picture),
			scale->metric->title, scale->whole, colour_scale_words(setting->safe, true));
	else
		snprintf(text, sizeof text, "Colour: %s %s, up to %s in %s", scale_flavour(picture),
			scale->metric->title, picture_value(value, scale->metric->unit, (uint64_t)scale->whole),
			colour_scale_words(setting->safe, false));
	put_label(picture->file, "legend", picture->width - PICTURE_MARGIN, y, "", text, SIZE_MAX);
}

static unsigned bottom_of(const struct picture *picture)
{
	return BOTTOM + (picture_has_scale(picture) || picture->options->difference ? LINE : 0);
}

static void put_difference_facts(const struct picture *picture)
{
	const struct difference_tree *difference = picture->options->difference;
	fprintf(picture->file, " data-parts=\"%.17g\" data-drawn-parts=\"%.17g\" data-exclusive-change=\"%d\"",
		difference->parts, difference->drawn_parts, picture->options->setting->exclusive_change);
}

/* The first element, with what the script needs to know. */
static void put_svg(const struct picture *picture, unsigned height)
{
	const struct flamegraph_options *options = picture->options;
	const struct flamegraph_layout *layout = &picture->layout;
	enum metric_unit unit = picture->tree->metrics->rows[picture->metric].unit;
	fprintf(picture->file,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" width=\"%u\" height=\"%u\" "
		"data-top=\"%d\""
		" data-bottom=\"%u\" data-highest=\"%u\" data-deepest=\"%u\"",
		picture->width, height, picture->width, height, TOP, bottom_of(picture), layout->depth, options->depth);
	fprintf(picture->file,
		" data-fluid=\"%d\" data-icicle=\"%d\" data-heaviest=\"%d\" data-least=\"%.9g\" data-share=\"%.9g\" "
		"data-unit=\"%s\"",
		!options->setting->width, options->icicle, options->setting->heaviest_first, picture->least,
		picture->least_share,
		unit == METRIC_NANOSECONDS ? "ns"
		: unit == METRIC_DECIMAL   ? "millionths"
					   : "");
	if (options->difference)
		put_difference_facts(picture);
	fputs(" data-title=\"", picture->file);
	svg_text(picture->file, options->title, strlen(options->title));
	fputs("\" data-subtitle=\"", picture->file);
	svg_text(picture->file, options->subtitle, strlen(options->subtitle));
	fputs("\">\n", picture->file);
}

static void put_head(const struct picture *picture)
{
	FILE *file = picture->file;
	const struct flamegraph_options *options = picture->options;
	const unsigned width = picture->width, right = width - PICTURE_MARGIN;
	/* The words at both ends of the title's line stay free. */
	double beside = width - (double)TITLE_BESIDE;
	size_t room = beside > 0 ? (size_t)(beside / title_character_width) : 0,
	       small = (size_t)(picture->full / character_width);
	put_svg(picture, TOP + (picture->layout.depth + 1) * ROW + bottom_of(picture));
	fprintf(file, "<style>\n%s</style>\n<rect id=\"back\" width=\"100%%\" height=\"100%%\" fill=\"#f8f8f4\"/>\n",
		picture_style);
	if (options->difference)
		picture_change_pattern(picture);
	put_label(file, "title", width / 2.0, 22, "", room < 3 ? "" : options->title, room);
	put_label(file, "subtitle", width / 2.0, 40, "", options->subtitle, small);
	put_label(file, "reset", PICTURE_MARGIN, 22, " class=\"hidden\" role=\"button\"", "Reset Zoom", SIZE_MAX);
	put_label(file, "case", right - 100, 22, " class=\"hidden\" role=\"button\"", "Match case", SIZE_MAX);
	put_label(file, "search", right, 22, " class=\"hidden\" role=\"button\"", "Search", SIZE_MAX);
}

static void put_bottom(const struct picture *picture)
{
	FILE *file = picture->file;
	const unsigned right = picture->width - PICTURE_MARGIN;
	fprintf(file, "<g id=\"bottom\" transform=\"translate(0,%u)\">\n", TOP + (picture->layout.depth + 1) * ROW);
	put_label(file, "details", PICTURE_MARGIN, BOTTOM - 28, " role=\"status\"", "", SIZE_MAX);
	put_label(file, "matched", right, BOTTOM - 28, " role=\"status\"", "", SIZE_MAX);
	put_hidden(picture, BOTTOM - 10);
	put_legend(picture, BOTTOM + LINE - 10);
	fputs("</g>\n", file);
}

static void put_script(const struct picture *picture)
{
	fputs("<metadata id=\"data\">", picture->file);
	picture_data_write(picture);
	fputs("</metadata>\n<script><![CDATA[\n", picture->file);
	for (size_t i = 0; svg_scripts[i]; i++)
		fputs(svg_scripts[i], picture->file);
	fputs("]]></script>\n", picture->file);
}

bool flamegraph_has_total(const struct path_tree *tree, unsigned metric, struct error *error)
{
	return (tree->inclusive[metric] && tree->inclusive[metric][0]) ||
	       error_set(
		       error, "no picture of %s: its total is 0 in what was loaded", tree->metrics->rows[metric].title);
}

bool flamegraph_write(FILE *file, const struct path_tree *tree, struct resolver *resolver, unsigned metric,
	const struct flamegraph_options *options, struct error *error)
{
	struct picture picture;
	if (!flamegraph_has_total(tree, metric, error))
		return false;
	picture_prepare(&picture, tree, resolver, metric, options);
	picture.file = file;
	put_head(&picture);
	put_frames(&picture);
	put_bottom(&picture);
	if (!options->setting->silent)
		put_script(&picture);
	fputs("</svg>\n", file);
	picture_free(&picture);
	return true;
}
