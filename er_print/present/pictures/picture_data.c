/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the tree of a picture. */
#include "picture_data.h"
#include "chart_data.h"
#include "data_bytes.h"
#include "number_map.h"
#include "preorder.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>

struct frame_kind {
	uint32_t function, rank;
	struct colour colour;
};
/* The kinds of frames of a tree, and by node the kind of its frame. */
struct kinds {
	struct frame_kind *all;
	uint32_t count;
	size_t capacity;
	uint32_t *of_node;
	struct number_map known; /* (function, colour) -> kind */
};

static uint32_t kind_of(struct kinds *kinds, const struct picture *picture, uint32_t node)
{
	uint32_t function = picture->tree->nodes[node].frame.function;
	struct colour colour = picture_colour(picture, node);
	uint32_t *place = number_map_place(&kinds->known,
		(uint64_t)function << 24 | (uint64_t)colour.red << 16 | (uint64_t)colour.green << 8 | colour.blue);
	if (*place != UINT32_MAX)
		return *place;
	*place = kinds->count;
	memory_reserve(kinds->all, kinds->count, kinds->capacity);
	kinds->all[kinds->count] = (struct frame_kind){function, picture->functions[function].rank, colour};
	return kinds->count++;
}

static int compare_kinds(const void *left, const void *right, void *context)
{
	const struct frame_kind *all = context, *a = &all[*(const uint32_t *)left], *b = &all[*(const uint32_t *)right];
	return COMPARE(a->rank, b->rank) ?: COMPARE(*(const uint32_t *)left, *(const uint32_t *)right);
}

static struct kinds kinds_of(const struct picture *picture, const struct preorder *preorder)
{
	struct kinds kinds = {.of_node = memory_new(picture->tree->count, sizeof *kinds.of_node)};
	for (uint32_t i = 0; i < preorder->count; i++)
		kinds.of_node[preorder->nodes[i]] = kind_of(&kinds, picture, preorder->nodes[i]);
	return kinds;
}

/* Writes the kinds in their order; place[kind]: where it is. Functions are in the order of their names, so that each name is new or
   the last. */
static void put_kinds(
	struct data_bytes *bytes, const struct picture *picture, const struct kinds *kinds, uint32_t *place)
{
	uint32_t *order = memory_new(kinds->count, sizeof *order), *text = memory_new(kinds->count, sizeof *text);
	struct data_texts texts = {0};
	for (uint32_t i = 0; i < kinds->count; i++)
		order[i] = i;
	qsort_r(order, kinds->count, sizeof *order, compare_kinds, kinds->all);
	for (uint32_t i = 0; i < kinds->count; i++) {
		const struct frame_kind *kind = &kinds->all[order[i]];
		place[order[i]] = i;
		if (!i || kind->function != kinds->all[order[i - 1]].function) {
			const struct picture_function *function = &picture->functions[kind->function];
			data_text(&texts, function->name, function->length);
		}
		text[i] = texts.count - 1;
	}
	data_texts_end(bytes, &texts);
	data_number(bytes, kinds->count);
	for (uint32_t i = 0; i < kinds->count; i++) {
		struct colour colour = kinds->all[order[i]].colour;
		data_number(bytes, text[i]);
		data_byte(bytes, colour.red);
		data_byte(bytes, colour.green);
		data_byte(bytes, colour.blue);
	}
	free(text);
	free(order);
}

static void put_change(struct data_bytes *bytes, const struct difference_tree *difference, uint32_t node)
{
	uint64_t *const *sums = difference->tree->exclusive;
	data_number(bytes, sums[DIFFERENCE_BEFORE][node]);
	data_number(bytes, sums[DIFFERENCE_AFTER][node]);
	data_number(bytes, (difference_change(difference, node, false).within ? 1u : 0) |
				   (difference_change(difference, node, true).within ? 2u : 0));
}

static void put_nodes(struct data_bytes *bytes, const struct picture *picture, const struct preorder *preorder,
	const struct kinds *kinds, const uint32_t *place)
{
	const uint64_t *exclusive = picture->tree->exclusive[picture->metric];
	const struct difference_tree *difference = picture->options->difference;
	const struct time_chart *chart = picture->options->chart;
	uint64_t *ends = chart ? memory_new(picture->tree->count, sizeof *ends) : 0;
	uint32_t missing = 0;
	data_number(bytes, preorder->count);
	for (uint32_t i = 0; i < preorder->count; i++) {
		uint32_t node = preorder->nodes[i];
		data_number(bytes, i ? preorder->depths[i - 1] + 1 - preorder->depths[i] : 0);
		data_number(bytes, place[kinds->of_node[node]]);
		data_number(bytes, exclusive[node]);
		if (chart)
			data_number(bytes, chart_lead(chart, node, ends));
		if (difference)
			put_change(bytes, difference, node);
		if (difference && node && node == difference->missing)
			missing = i;
	}
	if (difference)
		data_number(bytes, missing);
	free(ends);
}

static bool has_value(const void *context, uint32_t node)
{
	const struct picture *picture = context;
	uint64_t *const *sums = picture->tree->inclusive;
	return sums[picture->metric][node] > 0 ||
	       (picture->options->difference && sums[DIFFERENCE_BEFORE][node] + sums[DIFFERENCE_AFTER][node] > 0);
}

void picture_data_write(const struct picture *picture)
{
	struct preorder preorder = preorder_of(picture->tree, picture_is_in_order(picture) ? 0 : picture->functions,
		picture->options->difference ? picture->options->difference->missing : 0, has_value, picture);
	struct kinds kinds = kinds_of(picture, &preorder);
	uint32_t *place = memory_new(kinds.count, sizeof *place);
	struct data_bytes bytes = {0};
	put_kinds(&bytes, picture, &kinds, place);
	put_nodes(&bytes, picture, &preorder, &kinds, place);
	if (picture->options->chart)
		chart_lanes(&bytes, picture->options);
	data_base64(picture->file, &bytes);
	data_free(&bytes);
	free(place);
	number_map_free(&kinds.known);
	free(kinds.of_node);
	free(kinds.all);
	preorder_free(&preorder);
}
