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

int picture_by_name(const void *context, uint32_t function, uint32_t other)
{
	const struct picture_function *functions = context;
	return COMPARE(functions[function].rank, functions[other].rank);
}

const struct picture_function *picture_function(const struct picture *picture, uint32_t node)
{
	return &picture->functions[picture->tree->nodes[node].frame.function];
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
	if (!node)
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

static void lay_out(struct picture *picture)
{
	const struct picture_setting *setting = picture->options->setting;
	double least = setting->least > 0 ? setting->least : PICTURE_LEAST;
	picture->least = setting->least_is_percent ? 0 : least;
	picture->least_share = setting->least_is_percent ? least / 100 : 0;
	if (picture->least_share < picture->options->threshold / 100)
		picture->least_share = picture->options->threshold / 100;
	double share = picture->least / picture->full;
	flamegraph_lay_out(&picture->layout,
		&(struct flamegraph_plan){.tree = picture->tree,
			.metric = picture->metric,
			.apart = picture->options->difference ? picture->options->difference->missing : 0,
			.least_share = share > picture->least_share ? share : picture->least_share,
			.depth = picture->options->depth,
			.frames = PICTURE_FRAMES_MOST,
			.heaviest_first = setting->heaviest_first,
			.order = picture_by_name,
			.context = picture->functions});
}

void picture_prepare(struct picture *picture, const struct path_tree *tree, struct resolver *resolver, unsigned metric,
	const struct flamegraph_options *options)
{
	*picture = (struct picture){.tree = tree,
		.options = options,
		.functions = picture_functions(tree, resolver, &options->naming),
		.metric = metric,
		.width = picture_width(options->setting)};
	picture->full = picture->width - 2.0 * PICTURE_MARGIN;
	picture->waker = wakers_of(picture);
	if (picture_has_scale(picture))
		picture->scale = colour_scale_of(tree, options->scale, options->setting->palette == PALETTE_inclusive);
	if (options->difference)
		picture->most = difference_most(options->difference, options->setting->exclusive_change);
	lay_out(picture);
}

void picture_free(struct picture *picture)
{
	flamegraph_layout_free(&picture->layout);
	free(picture->functions);
	free(picture->waker);
}
