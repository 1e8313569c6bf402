/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares pictures. */
#include "picture.h"
#include "picture_change.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

bool picture_has_scale(const struct picture *picture)
{
	enum picture_palette palette = picture->options->setting->palette;
	return !picture->options->difference && (palette == PALETTE_exclusive || palette == PALETTE_inclusive);
}

const char *picture_scale_flavour(const struct picture *picture)
{
	return picture->options->setting->palette == PALETTE_exclusive ? "exclusive" : "inclusive";
}

int picture_by_name(const void *context, uint32_t function, uint32_t other)
{
	const struct picture_function *functions = context;
	return COMPARE(functions[function].rank, functions[other].rank);
}

const struct picture_function *picture_function(const struct picture *picture, uint32_t node)
{
	return &picture->functions[picture->tree->nodes[node].frame.function];
}

bool picture_is_lane(const struct picture *picture, uint32_t node)
{
	return picture->options->chart && node && !picture->tree->nodes[node].parent;
}

struct colour picture_palette_colour(const struct picture *picture, enum picture_palette palette, uint32_t node)
{
	const struct picture_setting *setting = picture->options->setting;
	const struct picture_function *function = picture_function(picture, node);
	struct frame_traits traits = {.name = function->name,
		.mark = function->mark,
		.waker = picture->waker[node],
		.object = function->object,
		.hue = function->hue,
		.ratio = picture->scale.ratio};
	if (!node || picture_is_lane(picture, node))
		return (struct colour){200, 200, 200};
	if (picture->options->difference)
		return picture_change_colour(picture, node);
	if (traits.mark == MARK_NONE && picture->tree->nodes[node].frame.inlined)
		traits.mark = MARK_INLINED;
	if (picture_has_scale(picture))
		traits.share = colour_scale_share(&picture->scale, node);
	return frame_colour(palette, setting->safe, &traits);
}

struct colour picture_colour(const struct picture *picture, uint32_t node)
{
	return picture_palette_colour(picture, picture->options->setting->palette, node);
}

static bool *wakers_of(const struct picture *picture)
{
	const struct path_tree *tree = picture->tree;
	bool *waker = memory_new(tree->count, sizeof *waker);
	for (uint32_t node = 1; node < tree->count; node++) {
		uint32_t parent = tree->nodes[node].parent;
		waker[node] = waker[parent] || !strcmp(picture_function(picture, parent)->name, "--");
	}
	return waker;
}

/* Says which graphs stand side by side, or above each other around a function. */
static void divide(struct picture *picture)
{
	static const struct picture_panel beside[] = {{.name = "before", .metric = DIFFERENCE_BEFORE},
		{.name = "after", .metric = DIFFERENCE_AFTER}, {.name = "change", .metric = DIFFERENCE_DRAWN}};
	const struct difference_tree *difference = picture->options->difference;
	const bool around = picture->options->callees;
	const bool divided = difference && picture->options->setting->difference == PICTURE_BESIDE;
	const unsigned beside_count = divided ? PICTURE_PANELS : 1;
	picture->panel_count = around ? 2 : beside_count;
	picture->full =
		(picture->width - 2.0 * PICTURE_MARGIN - (beside_count - 1) * PICTURE_GAP) / (double)beside_count;
	for (unsigned p = 0; p < picture->panel_count; p++) {
		struct picture_panel *panel = &picture->panels[p];
		*panel = divided ? beside[p] : (struct picture_panel){.metric = picture->metric};
		panel->parts = divided ? difference->parts : difference ? difference->drawn_parts : 1;
		panel->left = PICTURE_MARGIN + (divided ? p * (picture->full + PICTURE_GAP) : 0);
		panel->up = around && !p;
		panel->root = !around ? 0 : p ? picture->options->callees : 1;
	}
}

uint64_t picture_base(const struct picture *picture)
{
	enum metric_unit unit = picture->tree->metrics->rows[picture->metric].unit;
	double parts = unit == METRIC_NANOSECONDS ? 1e9 : unit == METRIC_DECIMAL ? 1e6 : 1;
	unsigned mean_of = picture->options->setting->mean_of;
	double total = picture->options->difference || picture->options->callees
			       ? 0
			       : picture->options->setting->total * parts * (mean_of ? mean_of : 1);
	return total < PICTURE_TOTAL_MOST ? (uint64_t)(total + 0.5) : (uint64_t)PICTURE_TOTAL_MOST;
}

unsigned picture_text(const struct picture *picture)
{
	unsigned text = picture->options->setting->text;
	return text ? text : PICTURE_TEXT;
}

unsigned picture_row(const struct picture *picture)
{
	/* Room for the line below "_": 16 pixels for a text of 11. */
	return (4 * picture_text(picture) + 2) / 3 + 1;
}

double picture_character(const struct picture *picture)
{
	return PICTURE_CHARACTER * picture_text(picture) / PICTURE_TEXT;
}

bool picture_is_in_order(const struct picture *picture)
{
	return picture->options->chart || picture->options->setting->order == PICTURE_BY_TIME;
}

static void lay_out(struct picture *picture, struct picture_panel *panel)
{
	const struct picture_setting *setting = picture->options->setting;
	const struct difference_tree *difference = picture->options->difference;
	const struct time_chart *chart = picture->options->chart;
	double share = picture->least / picture->full;
	flamegraph_lay_out(
		&panel->layout, &(struct flamegraph_plan){.tree = picture->tree,
					.metric = panel->metric,
					.root = panel->root,
					.base = picture->options->whole,
					.total = picture_base(picture),
					.apart = difference ? difference->missing : 0,
					.least_share = share > picture->least_share ? share : picture->least_share,
					.depth = picture->options->depth,
					.frames = PICTURE_FRAMES_MOST / picture->panel_count,
					.starts = chart ? chart->starts : 0,
					.width = chart ? chart->width : 0,
					.most_share = PICTURE_BUNDLE,
					.heaviest_first = setting->order == PICTURE_HEAVIEST && !chart,
					.order = picture_is_in_order(picture) ? 0 : picture_by_name,
					.context = picture->functions});
	if (picture->options->callees)
		picture->depth += panel->layout.depth;
	else if (panel->layout.depth > picture->depth)
		picture->depth = panel->layout.depth;
}

static void choose_least(struct picture *picture)
{
	const struct picture_setting *setting = picture->options->setting;
	double least = setting->least > 0 ? setting->least : PICTURE_LEAST;
	picture->least = setting->least_is_percent ? 0 : least;
	picture->least_share = setting->least_is_percent ? least / 100 : 0;
	if (picture->least_share < picture->options->threshold / 100)
		picture->least_share = picture->options->threshold / 100;
}

void picture_prepare(struct picture *picture, const struct path_tree *tree, struct resolver *resolver, unsigned metric,
	const struct flamegraph_options *options)
{
	*picture = (struct picture){.tree = tree,
		.options = options,
		.functions = picture_functions(tree, resolver, &options->naming),
		.metric = metric,
		.width = picture_width(options->setting)};
	picture->waker = wakers_of(picture);
	if (picture_has_scale(picture))
		picture->scale = colour_scale_of(tree, options->scale, options->setting->palette == PALETTE_inclusive);
	if (options->difference)
		picture->most = difference_most(options->difference, options->setting->exclusive_change);
	divide(picture);
	choose_least(picture);
	for (unsigned p = 0; p < picture->panel_count; p++)
		lay_out(picture, &picture->panels[p]);
}

double picture_percent(const struct picture_panel *panel, uint64_t value)
{
	return panel->layout.base ? 100.0 * (double)value / (double)panel->layout.base : 0;
}

void picture_free(struct picture *picture)
{
	for (unsigned p = 0; p < picture->panel_count; p++)
		flamegraph_layout_free(&picture->panels[p].layout);
	free(picture->functions);
	free(picture->waker);
}
