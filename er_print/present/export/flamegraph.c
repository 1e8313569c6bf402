/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a laid-out tree of call paths as an interactive SVG file. */
#include "flamegraph.h"
#include "flamegraph_files.h"
#include "flamegraph_layout.h"
#include "metric_columns.h"
#include "search.h"
#include "table_print.h"
#include "xml_character.h"

#include <inttypes.h>
#include <string.h>

enum { WIDTH = 1200, MARGIN = 10, FULL = WIDTH - 2 * MARGIN, ROW = 16, TOP = 52, BOTTOM = 50 };
enum { LABEL_ROOM = 100 }; /* characters: of the title's size they leave the words at both ends of its line free */
static const double thinnest = 0.1;         /* pixels: thinner frames are bundled or left out */
static const double character_width = 6.62; /* of the 11 px monospace font; flamegraph.js fits names the same way */

struct picture {
	FILE *file;
	const struct path_tree *tree;
	struct resolver *resolver;
	const struct flamegraph_options *options;
	struct flamegraph_layout layout;
	unsigned metric;
};

static const char *name_of(const struct picture *picture, uint32_t function)
{
	return picture->options->function_name(picture->options->context, function);
}

/* Alphabetical; functions of one name by load object, then by file, then by address: stable from run to run.
 */
static int alphabetical(const void *context, uint32_t function, uint32_t other)
{
	const struct picture *picture = context;
	const struct function *a = resolver_function(picture->resolver, function);
	const struct function *b = resolver_function(picture->resolver, other);
	int order = strcmp(name_of(picture, function), name_of(picture, other));
	if (!order)
		order = strcmp(resolver_object_name(picture->resolver, a->object),
			resolver_object_name(picture->resolver, b->object));
	if (!order)
		order = strcmp(resolver_file(picture->resolver, a->file), resolver_file(picture->resolver, b->file));
	if (!order)
		order = COMPARE(a->start, b->start);
	return order;
}

/* Writes at most `characters` characters of a text, escaped; what XML cannot hold becomes U+FFFD. */
static void put_text(FILE *file, const char *text, size_t characters)
{
	const unsigned char *next = (const unsigned char *)text;
	while (*next && characters--) {
		unsigned size = xml_character(next);
		if (!size)
			fputs("\xef\xbf\xbd", file);
		else if (*next == '<')
			fputs("&lt;", file);
		else if (*next == '>')
			fputs("&gt;", file);
		else if (*next == '&')
			fputs("&amp;", file);
		else if (*next == '"')
			fputs("&quot;", file);
		else
			fwrite(next, 1, size, file);
		next += size ? size : 1;
	}
}

static size_t character_count(const char *text)
{
	size_t count = 0;
	for (const unsigned char *next = (const unsigned char *)text; *next; count++) {
		unsigned size = xml_character(next);
		next += size ? size : 1;
	}
	return count;
}

/* The text if it has room, in characters, else its beginning and an ellipsis. */
static void put_cut(FILE *file, const char *text, size_t room)
{
	if (character_count(text) <= room) {
		put_text(file, text, SIZE_MAX);
		return;
	}
	put_text(file, text, room - 1);
	fputs("\xe2\x80\xa6", file);
}

/* The name if it fits, else its beginning and an ellipsis, else nothing. */
static void put_fitted(FILE *file, const char *name, double width)
{
	int room = (int)((width - 6) / character_width);
	if (room >= 3)
		put_cut(file, name, (size_t)room);
}

/* A warm colour that depends on nothing but the name, so that a function looks the same in every picture. */
static void put_colour(FILE *file, const char *name)
{
	uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
	for (const char *next = name; *next; next++)
		hash = (hash ^ (unsigned char)*next) * 0x100000001b3u;
	hash ^= hash >> 29;
	fprintf(file, "rgb(%u,%u,%u)", 205 + (unsigned)(hash % 50), 60 + (unsigned)(hash / 50 % 140),
		(unsigned)(hash / 7000 % 55));
}

static void put_value(const struct picture *picture, uint64_t value)
{
	enum metric_unit unit = picture->tree->metrics->rows[picture->metric].unit;
	struct cell cell = {.shown = true, .number = value};
	char text[CELL_TEXT_MAX];
	if (unit == METRIC_NANOSECONDS)
		fprintf(picture->file, "%.3f sec.", (double)value / 1e9);
	else
		fputs(cell_text(metric_value_format(unit), &cell, false, text), picture->file);
	fprintf(picture->file, ", %.2f%%", 100.0 * (double)value / (double)picture->layout.total);
}

static void put_frame(const struct picture *picture, const struct flamegraph_frame *frame)
{
	FILE *file = picture->file;
	const struct flamegraph_layout *layout = &picture->layout;
	const struct path_node *node = &picture->tree->nodes[frame->node];
	char bundle[64];
	const char *name = name_of(picture, node->frame.function);
	if (frame->bundled) {
		snprintf(bundle, sizeof bundle, "(%u thin frames)", frame->bundled);
		name = bundle;
	}
	double x = MARGIN + (double)FULL * ((double)frame->start / (double)layout->total);
	double width = (double)FULL * ((double)frame->value / (double)layout->total);
	unsigned y = TOP + (layout->depth - frame->depth) * ROW;
	uint64_t self = frame->bundled ? 0 : picture->tree->exclusive[picture->metric][frame->node];

	fprintf(file,
		"<g class=\"f\" data-s=\"%" PRIu64 "\" data-v=\"%" PRIu64 "\" data-x=\"%" PRIu64
		"\" data-d=\"%u\" data-n=\"",
		frame->start, frame->value, self, frame->depth);
	put_text(file, name, SIZE_MAX);
	fputs("\"><title>", file);
	put_text(file, name, SIZE_MAX);
	fputs(" (", file);
	put_value(picture, frame->value);
	fprintf(file, ")</title><rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%u\" fill=\"", x, y, width, ROW - 1);
	if (frame->bundled || !frame->depth)
		fputs("rgb(200,200,200)", file);
	else
		put_colour(file, name);
	fprintf(file, "\"/><text x=\"%.1f\" y=\"%u\">", x + 3, y + ROW - 5);
	put_fitted(file, name, width);
	fputs("</text></g>\n", file);
}

static void put_label(FILE *file, const char *id, double x, unsigned y, const char *class, const char *text)
{
	fprintf(file, "<text id=\"%s\" x=\"%g\" y=\"%u\"%s%s%s>", id, x, y, class ? " class=\"" : "",
		class ? class : "", class ? "\"" : "");
	put_cut(file, text, LABEL_ROOM);
	fputs("</text>\n", file);
}

static void put_head(const struct picture *picture)
{
	FILE *file = picture->file;
	const struct flamegraph_layout *layout = &picture->layout;
	unsigned height = TOP + (layout->depth + 1) * ROW + BOTTOM;
	enum metric_unit unit = picture->tree->metrics->rows[picture->metric].unit;
	fprintf(file,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %u\" width=\"%d\" height=\"%u\""
		" data-width=\"%d\" data-total=\"%" PRIu64 "\" data-unit=\"%s\">\n<style>\n%s</style>\n",
		WIDTH, height, WIDTH, height, WIDTH, layout->total,
		unit == METRIC_NANOSECONDS ? "ns"
		: unit == METRIC_DECIMAL   ? "millionths"
					   : "",
		flamegraph_style);
	fprintf(file, "<rect x=\"0\" y=\"0\" width=\"100%%\" height=\"100%%\" fill=\"#f8f8f4\"/>\n");
	put_label(file, "title", WIDTH / 2.0, 22, 0, picture->options->title);
	put_label(file, "subtitle", WIDTH / 2.0, 40, 0, picture->options->subtitle);
	put_label(file, "reset", MARGIN, 22, "hidden", "Reset Zoom");
	put_label(file, "search", WIDTH - MARGIN, 22, "hidden", "Search");
	put_label(file, "details", MARGIN, height - 28, 0, " ");
	put_label(file, "matched", WIDTH - MARGIN, height - 28, 0, " ");
	if (layout->hidden_frames) {
		char note[128];
		snprintf(note, sizeof note, "%u %s, %.4f %%, not drawn: thinner than %g px", layout->hidden_frames,
			layout->hidden_frames == 1 ? "frame" : "neighbouring frames",
			100.0 * (double)layout->hidden_value / (double)layout->total, thinnest);
		put_label(file, "note", MARGIN, height - 10, 0, note);
	}
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
	if (!flamegraph_has_total(tree, metric, error))
		return false;
	struct picture picture = {
		.file = file, .tree = tree, .resolver = resolver, .options = options, .metric = metric};
	flamegraph_lay_out(&picture.layout, tree, metric, thinnest / FULL, alphabetical, &picture);
	put_head(&picture);
	for (uint32_t i = 0; i < picture.layout.count; i++)
		put_frame(&picture, &picture.layout.frames[i]);
	fprintf(file, "<script><![CDATA[\n%s]]></script>\n</svg>\n", flamegraph_script);
	flamegraph_layout_free(&picture.layout);
	if (fflush(file) || ferror(file))
		return error_set(error, "the picture cannot be written whole: %m");
	return true;
}
