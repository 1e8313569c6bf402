/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a laid-out tree of call paths as an interactive SVG file. */
#include "colour_scale.h"
#include "flamegraph.h"
#include "flamegraph_files.h"
#include "flamegraph_layout.h"
#include "picture_value.h"
#include "search.h"
#include "storage.h"
#include "svg_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 10, ROW = 16, TOP = 52, BOTTOM = 50, LINE = 16 };
static const double character_width = 6.62; /* of the 11 px monospace font; flamegraph.js fits names the same way */

struct picture {
	FILE *file;
	const struct path_tree *tree;
	const struct flamegraph_options *options;
	struct flamegraph_layout layout;
	struct picture_function *functions;
	struct colour_scale scale; /* of the palettes exclusive and inclusive */
	bool *waker;               /* [node] it stands beyond a separator "--" */
	unsigned metric, width;
	double full; /* the width of <Total> */
};

static bool has_scale(const struct picture_setting *setting)
{
	return setting->palette == PALETTE_exclusive || setting->palette == PALETTE_inclusive;
}

static int by_rank(const void *context, uint32_t function, uint32_t other)
{
	const struct picture_function *functions = context;
	return COMPARE(functions[function].rank, functions[other].rank);
}

static const struct picture_function *function_of(const struct picture *picture, uint32_t node)
{
	return &picture->functions[picture->tree->nodes[node].frame.function];
}

/* The name if it fits, else its beginning and an ellipsis, else nothing. */
static void put_fitted(FILE *file, const char *name, size_t length, double width)
{
	int room = (int)((width - 6) / character_width);
	if (room >= 3)
		svg_text_cut(file, name, length, (size_t)room);
}

static struct colour colour_of(const struct picture *picture, uint32_t node)
{
	const struct picture_setting *setting = picture->options->setting;
	const struct picture_function *function = function_of(picture, node);
	struct frame_traits traits = {.name = function->name,
		.mark = function->mark,
		.waker = picture->waker[node],
		.object = function->object,
		.hue = function->hue,
		.ratio = picture->scale.ratio};
	if (traits.mark == MARK_NONE && picture->tree->nodes[node].frame.inlined)
		traits.mark = MARK_INLINED;
	if (has_scale(setting))
		traits.share = colour_scale_share(&picture->scale, node);
	return frame_colour(setting->palette, setting->safe, &traits);
}

static void put_value(const struct picture *picture, uint64_t value)
{
	char text[PICTURE_VALUE_MAX];
	fprintf(picture->file, "%s, %.2f%%",
		picture_value(text, picture->tree->metrics->rows[picture->metric].unit, value),
		100.0 * (double)value / (double)picture->layout.total);
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

static void put_frame(const struct picture *picture, const struct flamegraph_frame *frame)
{
	FILE *file = picture->file;
	const struct flamegraph_layout *layout = &picture->layout;
	const struct picture_function *function = function_of(picture, frame->node);
	char bundle[64];
	const char *name = function->name;
	size_t length = function->length;
	if (frame->bundled) {
		length = (size_t)snprintf(bundle, sizeof bundle, "(%u thin frames)", frame->bundled);
		name = bundle;
	}
	double x = MARGIN + picture->full * ((double)frame->start / (double)layout->total);
	double width = picture->full * ((double)frame->value / (double)layout->total);
	unsigned y = TOP + (picture->options->icicle ? frame->depth : layout->depth - frame->depth) * ROW;
	uint64_t self = frame->bundled ? 0 : picture->tree->exclusive[picture->metric][frame->node];
	struct colour colour = {200, 200, 200};
	if (!frame->bundled && frame->depth)
		colour = colour_of(picture, frame->node);

	fprintf(file,
		"<g class=\"f%s\" data-s=\"%" PRIu64 "\" data-v=\"%" PRIu64 "\" data-x=\"%" PRIu64
		"\" data-d=\"%u\" data-n=\"",
		colour_is_dark(colour) ? " d" : "", frame->start, frame->value, self, frame->depth);
	svg_text(file, name, length);
	fputs("\"><title>", file);
	svg_text(file, name, length);
	fputs(" (", file);
	put_value(picture, frame->value);
	if (has_scale(picture->options->setting) && !frame->bundled)
		put_scale_value(picture, frame->node);
	fprintf(file, ")</title><rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%u\" fill=\"rgb(%u,%u,%u)\"", x, y,
		width, ROW - 1, colour.red, colour.green, colour.blue);
	fprintf(file, "/><text x=\"%.1f\" y=\"%u\">", x + 3, y + ROW - 5);
	put_fitted(file, name, length, width);
	fputs("</text></g>\n", file);
}

/* A text of at most `room` characters; a longer one is whole in the tooltip. */
static void put_label(
	FILE *file, const char *id, double x, unsigned y, const char *class, const char *text, size_t room)
{
	fprintf(file, "<text id=\"%s\" x=\"%g\" y=\"%u\"%s%s%s>", id, x, y, class ? " class=\"" : "",
		class ? class : "", class ? "\"" : "");
	svg_text_cut(file, text, strlen(text), room);
	fputs("</text>\n", file);
}

static void put_hidden(const struct picture *picture, unsigned y)
{
	const struct flamegraph_layout *layout = &picture->layout;
	char note[160];
	if (!layout->hidden_frames)
		return;
	snprintf(note, sizeof note, "%u %s, %.4f %%, not drawn: thinner than %.3g px%s", layout->hidden_frames,
		layout->hidden_frames == 1 ? "frame" : "neighbouring frames",
		100.0 * (double)layout->hidden_value / (double)layout->total, layout->least_share * picture->full,
		picture->options->depth && layout->depth == picture->options->depth ? ", or too deep" : "");
	put_label(picture->file, "note", MARGIN, y, 0, note, SIZE_MAX);
}

/* Says what colours mean, where they have a scale. */
static void put_legend(const struct picture *picture, unsigned y)
{
	const struct picture_setting *setting = picture->options->setting;
	const struct colour_scale *scale = &picture->scale;
	if (!has_scale(setting))
		return;
	char text[256], value[PICTURE_VALUE_MAX];
	const char *flavour = scale_flavour(picture);
	if (scale->ratio)
		snprintf(text, sizeof text, "Colour: %s %s; grey is that of all, %.3f; %s", flavour,
			scale->metric->title, scale->whole, colour_scale_words(setting->safe, true));
	else
		snprintf(text, sizeof text, "Colour: %s %s, up to %s in %s", flavour, scale->metric->title,
			picture_value(value, scale->metric->unit, (uint64_t)scale->whole),
			colour_scale_words(setting->safe, false));
	put_label(picture->file, "legend", picture->width - MARGIN, y, 0, text, SIZE_MAX);
}

static void put_head(const struct picture *picture)
{
	FILE *file = picture->file;
	const struct flamegraph_layout *layout = &picture->layout;
	const struct flamegraph_options *options = picture->options;
	unsigned width = picture->width, height = TOP + (layout->depth + 1) * ROW + BOTTOM;
	unsigned below = has_scale(options->setting) ? LINE : 0;
	/* The title is larger, and the words at both ends of its line are to stay free. */
	size_t room = (size_t)(width / 12), small = (size_t)((width - 2 * MARGIN) / character_width);
	enum metric_unit unit = picture->tree->metrics->rows[picture->metric].unit;
	fprintf(file,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" width=\"%u\" height=\"%u\""
		" data-width=\"%u\" data-fluid=\"%d\" data-icicle=\"%d\" data-total=\"%" PRIu64
		"\" data-unit=\"%s\">\n<style>\n%s</style>\n",
		width, height + below, width, height + below, width, !options->setting->width, options->icicle,
		layout->total,
		unit == METRIC_NANOSECONDS ? "ns"
		: unit == METRIC_DECIMAL   ? "millionths"
					   : "",
		flamegraph_style);
	fprintf(file, "<rect x=\"0\" y=\"0\" width=\"100%%\" height=\"100%%\" fill=\"#f8f8f4\"/>\n");
	put_label(file, "title", width / 2.0, 22, 0, options->title, room);
	put_label(file, "subtitle", width / 2.0, 40, 0, options->subtitle, small);
	put_label(file, "reset", MARGIN, 22, "hidden", "Reset Zoom", SIZE_MAX);
	put_label(file, "search", width - MARGIN, 22, "hidden", "Search", SIZE_MAX);
	put_label(file, "details", MARGIN, height - 28, 0, " ", SIZE_MAX);
	put_label(file, "matched", width - MARGIN, height - 28, 0, " ", SIZE_MAX);
	put_hidden(picture, height - 10);
	put_legend(picture, height + below - 10);
}

bool flamegraph_has_total(const struct path_tree *tree, unsigned metric, struct error *error)
{
	return (tree->inclusive[metric] && tree->inclusive[metric][0]) ||
	       error_set(
		       error, "no picture of %s: its total is 0 in what was loaded", tree->metrics->rows[metric].title);
}

static bool *wakers_of(const struct picture *picture)
{
	const struct path_tree *tree = picture->tree;
	bool *waker = memory_new(tree->count, sizeof *waker);
	for (uint32_t node = 1; node < tree->count; node++) {
		uint32_t parent = tree->nodes[node].parent;
		waker[node] = waker[parent] || !strcmp(function_of(picture, parent)->name, "--");
	}
	return waker;
}

static void lay_out(struct picture *picture)
{
	const struct picture_setting *setting = picture->options->setting;
	double least = setting->least > 0 ? setting->least : PICTURE_LEAST;
	double share = setting->least_is_percent ? least / 100 : least / picture->full;
	if (share < picture->options->threshold / 100)
		share = picture->options->threshold / 100;
	flamegraph_lay_out(&picture->layout, &(struct flamegraph_plan){.tree = picture->tree,
						     .metric = picture->metric,
						     .least_share = share,
						     .depth = picture->options->depth,
						     .frames = PICTURE_FRAMES_MOST,
						     .heaviest_first = setting->heaviest_first,
						     .order = by_rank,
						     .context = picture->functions});
}

bool flamegraph_write(FILE *file, const struct path_tree *tree, struct resolver *resolver, unsigned metric,
	const struct flamegraph_options *options, struct error *error)
{
	if (!flamegraph_has_total(tree, metric, error))
		return false;
	struct picture picture = {.file = file,
		.tree = tree,
		.options = options,
		.functions = picture_functions(tree, resolver, &options->naming),
		.metric = metric,
		.width = picture_width(options->setting)};
	picture.full = picture.width - 2.0 * MARGIN;
	picture.waker = wakers_of(&picture);
	if (has_scale(options->setting))
		picture.scale = colour_scale_of(tree, options->scale, options->setting->palette == PALETTE_inclusive);
	lay_out(&picture);
	put_head(&picture);
	for (uint32_t i = 0; i < picture.layout.count; i++)
		put_frame(&picture, &picture.layout.frames[i]);
	if (!options->setting->silent)
		fprintf(file, "<script><![CDATA[\n%s]]></script>\n", flamegraph_script);
	fputs("</svg>\n", file);
	flamegraph_layout_free(&picture.layout);
	free(picture.functions);
	free(picture.waker);
	return true;
}
