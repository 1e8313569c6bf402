/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a laid-out tree of call paths as an interactive SVG file. */
#include "flamegraph.h"
#include "picture.h"
#include "picture_change.h"
#include "picture_data.h"
#include "picture_files.h"
#include "picture_value.h"
#include "svg_axis.h"
#include "svg_frames.h"
#include "svg_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOP = 52, BOTTOM = 50, LINE = 16 };
enum { TITLE_BESIDE = 380 }; /* pixels: what stands on both sides of the title */

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
	const unsigned deepest = picture->options->depth;
	char note[160] = "", part[32] = "";
	uint32_t hidden = 0;
	double thinnest = 0;
	for (unsigned p = 0; p < picture->panel_count; p++) {
		const struct flamegraph_layout *layout = &picture->panels[p].layout;
		hidden += layout->hidden_frames;
		thinnest = fmax(thinnest, layout->least_share * picture->full);
	}
	if (picture->panel_count == 1)
		snprintf(part, sizeof part, " %.4f %%,",
			picture_percent(picture->panels, picture->panels->layout.hidden_value));
	if (hidden)
		snprintf(note, sizeof note, "%u %s,%s not drawn: thinner than %.3g px%s", hidden,
			hidden == 1 ? "frame" : "frames", part, thinnest,
			deepest && picture->depth == deepest ? ", or too deep" : "");
	put_label(picture->file, "note", PICTURE_MARGIN, y, "", note, SIZE_MAX);
}

/* How many characters of the small font stand side by side. */
static size_t small_room(const struct picture *picture)
{
	return (size_t)((picture->width - 2.0 * PICTURE_MARGIN) / PICTURE_CHARACTER);
}

static void put_legend_text(const struct picture *picture, unsigned y, const char *text)
{
	put_label(picture->file, "legend", picture->width - PICTURE_MARGIN, y, "", text, small_room(picture));
}

static void put_change_legend(const struct picture *picture, unsigned y)
{
	char *text = picture_change_legend(picture);
	put_legend_text(picture, y, text);
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
		snprintf(text, sizeof text, "Colour: %s %s; grey is that of all, %.3f; %s",
			picture_scale_flavour(picture), scale->metric->title, scale->whole,
			colour_scale_words(setting->safe, true));
	else
		snprintf(text, sizeof text, "Colour: %s %s, up to %s in %s", picture_scale_flavour(picture),
			scale->metric->title, picture_mean(value, setting->mean_of, scale->metric->unit, scale->whole),
			colour_scale_words(setting->safe, false));
	put_legend_text(picture, y, text);
}

static unsigned bottom_of(const struct picture *picture)
{
	return BOTTOM + (picture_has_scale(picture) || picture->options->difference ? LINE : 0);
}

static void put_value_facts(const struct picture *picture)
{
	const struct picture_setting *setting = picture->options->setting;
	char word[PICTURE_COUNT_MOST + 1];
	picture_word(word, setting, &picture->tree->metrics->rows[picture->metric]);
	fprintf(picture->file,
		" data-text=\"%u\" data-row=\"%u\" data-base=\"%" PRIu64 "\" data-factor=\"%.17g\" data-word=\"",
		picture_text(picture), picture_row(picture), picture_base(picture), picture_factor(setting));
	svg_text(picture->file, word, strlen(word));
	fputs("\"", picture->file);
}

static void put_difference_facts(const struct picture *picture)
{
	const struct difference_tree *difference = picture->options->difference;
	fprintf(picture->file,
		" data-parts=\"%.17g\" data-drawn-parts=\"%.17g\" data-exclusive-change=\"%d\" "
		"data-panels=\"%u\"",
		difference->parts, difference->drawn_parts, picture->options->setting->exclusive_change,
		picture->panel_count);
}

/* The first element, with what the script needs to know. */
static void put_svg(const struct picture *picture, unsigned height)
{
	const struct flamegraph_options *options = picture->options;
	enum metric_unit unit = picture->tree->metrics->rows[picture->metric].unit;
	fprintf(picture->file,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" width=\"%u\" height=\"%u\" "
		"data-top=\"%u\""
		" data-bottom=\"%u\" data-highest=\"%u\" data-deepest=\"%u\"",
		picture->width, height, picture->width, height, picture->top, bottom_of(picture), picture->depth,
		options->depth);
	fprintf(picture->file,
		" data-fluid=\"%d\" data-icicle=\"%d\" data-heaviest=\"%d\" data-least=\"%.9g\" data-share=\"%.9g\" "
		"data-unit=\"%s\"",
		!options->setting->width, options->icicle, options->setting->order == PICTURE_HEAVIEST, picture->least,
		picture->least_share, picture_unit_name(unit));
	put_value_facts(picture);
	if (options->difference)
		put_difference_facts(picture);
	if (options->callees)
		fprintf(picture->file, " data-around=\"1\" data-whole=\"%" PRIu64 "\"", options->whole);
	if (options->chart)
		fprintf(picture->file, " data-chart=\"1\" data-origin=\"%" PRId64 "\"", options->chart->begin);
	fputs(" data-title=\"", picture->file);
	svg_text(picture->file, options->title, strlen(options->title));
	fputs("\" data-subtitle=\"", picture->file);
	svg_text(picture->file, options->subtitle, strlen(options->subtitle));
	fputs("\">\n<title>", picture->file);
	svg_text(picture->file, options->title, strlen(options->title));
	fputs("</title>\n", picture->file);
}

/* "before 60", "after 70", "change +10". */
static void put_panel_titles(const struct picture *picture)
{
	for (unsigned p = 0; p < picture->panel_count && picture->options->difference && picture->panel_count > 1;
		p++) {
		const struct picture_panel *panel = &picture->panels[p];
		fprintf(picture->file, "<text class=\"panel\" x=\"%g\" y=\"%u\">%s ", panel->left, picture->top - 4,
			panel->name);
		picture_change_total(picture, (enum difference_row)panel->metric);
		fputs("</text>\n", picture->file);
	}
}

static void put_head(const struct picture *picture)
{
	FILE *file = picture->file;
	const struct flamegraph_options *options = picture->options;
	const unsigned width = picture->width, right = width - PICTURE_MARGIN;
	/* The words at both ends of the title's line stay free. */
	double beside = width - (double)TITLE_BESIDE;
	size_t room = beside > 0 ? (size_t)(beside / PICTURE_TITLE_CHARACTER) : 0;
	put_svg(picture, picture->top + (picture->depth + 1) * picture_row(picture) + bottom_of(picture));
	fprintf(file, "<style>\n%s", picture_style);
	if (options->setting->text)
		fprintf(file, "#frames text { font-size: %upx; }\n", options->setting->text);
	fprintf(file, "</style>\n<rect id=\"back\" width=\"100%%\" height=\"100%%\" fill=\"#f8f8f4\"/>\n");
	if (options->difference)
		picture_change_pattern(picture);
	put_label(file, "title", width / 2.0, 22, "", room < 3 ? "" : options->title, room);
	put_label(file, "subtitle", width / 2.0, 40, "", options->subtitle, small_room(picture));
	put_panel_titles(picture);
	put_label(file, "reset", PICTURE_MARGIN, 22, " class=\"hidden\" role=\"button\"", "Reset Zoom", SIZE_MAX);
	put_label(file, "case", right - 100, 22, " class=\"hidden\" role=\"button\"", "Match case", SIZE_MAX);
	put_label(file, "search", right, 22, " class=\"hidden\" role=\"button\"", "Search", SIZE_MAX);
}

static void put_bottom(const struct picture *picture)
{
	FILE *file = picture->file;
	const unsigned right = picture->width - PICTURE_MARGIN;
	fprintf(file, "<g id=\"bottom\" transform=\"translate(0,%u)\">\n",
		picture->top + (picture->depth + 1) * picture_row(picture));
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
	if (!options->difference && !flamegraph_has_total(tree, metric, error))
		return false;
	picture_prepare(&picture, tree, resolver, metric, options);
	picture.file = file;
	picture.top = (picture.panel_count > 1 && options->difference) || options->chart ? TOP + LINE : TOP;
	put_head(&picture);
	if (options->chart)
		svg_axis_write(&picture, (picture.depth + 1) * picture_row(&picture));
	svg_frames_write(&picture);
	put_bottom(&picture);
	if (!options->setting->silent)
		put_script(&picture);
	fputs("</svg>\n", file);
	picture_free(&picture);
	return true;
}
