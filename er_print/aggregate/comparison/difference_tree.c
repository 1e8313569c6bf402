/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds trees of differences. */
#include "difference_tree.h"
#include "difference.h"
#include "path_tree_growth.h"
#include "storage.h"

#include <math.h>
#include <stdlib.h>

/* Scaled sums that differ by no more than this part of them are equal; change_text.js has the same. */
#define ROUNDING 1e-10

/* Scaled values are rounded to parts, of which totals have at most so many: a double and a script's number hold them exactly. */
static const double parts_most = 1125899906842624; /* 2 to the 50th */

static double value_of(const struct path_tree *tree, const struct difference_side *side, uint32_t node)
{
	const uint64_t *sums = tree->inclusive[side->metric];
	return sums ? (double)sums[node] * side->scale : 0;
}

static double parts_of(
	const struct path_tree *tree, const struct difference_side *before, const struct difference_side *after)
{
	double total = value_of(tree, before, 0) + value_of(tree, after, 0), parts = 1;
	if (before->scale == 1 && after->scale == 1)
		return 1;
	while (total * parts * 2 < parts_most)
		parts *= 2;
	return parts;
}

static uint64_t in_parts(const uint64_t *sums, const struct difference_side *side, double parts, uint32_t node)
{
	if (!sums || !sums[node])
		return 0;
	return side->scale == 1 ? sums[node] * (uint64_t)parts
				: (uint64_t)((double)sums[node] * side->scale * parts + 0.5);
}

struct planting {
	struct difference_tree *difference;
	const struct path_tree *from;
	struct path_tree_growth growth;
	uint32_t *place;   /* [node of from] its node in the tree */
	uint32_t *missing; /* likewise among the copies of what is missing; 0: it has none */
	bool *ends;        /* [node of from] its exclusive sum before is among what is missing */
};

static bool is_gone(const struct planting *planting, uint32_t node)
{
	const struct difference_tree *difference = planting->difference;
	return value_of(planting->from, &difference->before, node) > 0 &&
	       value_of(planting->from, &difference->after, node) <= 0;
}

/* The copy of a path. Its callers' copies are made first: they are looked for upwards and made downwards. */
static uint32_t copy_of(struct planting *planting, uint32_t node, uint32_t *path)
{
	uint32_t length = 0;
	for (; node && !planting->missing[node]; node = planting->from->nodes[node].parent)
		path[length++] = node;
	uint32_t at = planting->missing[node];
	while (length) {
		at = path_tree_child(&planting->growth, at, &planting->from->nodes[path[--length]]);
		planting->missing[path[length]] = at;
	}
	return at;
}

static void plant_missing(struct planting *planting)
{
	const struct path_tree *from = planting->from;
	uint32_t *path = memory_new((size_t)from->depth + 1, sizeof *path);
	for (uint32_t node = 0; node < from->count; node++) {
		const uint64_t *before = from->exclusive[planting->difference->before.metric];
		if (!before || !before[node] || !is_gone(planting, node))
			continue;
		if (!planting->difference->missing) {
			planting->missing[0] = path_tree_child(&planting->growth, 0, &from->nodes[0]);
			planting->difference->missing = planting->missing[0];
		}
		copy_of(planting, node, path);
		planting->ends[node] = true;
	}
	free(path);
}

static void sum(struct planting *planting, enum difference_width width)
{
	struct difference_tree *difference = planting->difference;
	struct path_tree *tree = planting->growth.tree;
	const struct path_tree *from = planting->from;
	uint64_t **sums = tree->exclusive;
	for (unsigned row = 0; row < DIFFERENCE_ROWS; row++)
		sums[row] = memory_new(tree->count, sizeof **sums);
	for (uint32_t node = 0; node < from->count; node++) {
		const uint32_t at = planting->place[node];
		uint64_t before = in_parts(from->exclusive[difference->before.metric], &difference->before,
				 difference->parts, node),
			 after = in_parts(from->exclusive[difference->after.metric], &difference->after,
				 difference->parts, node);
		sums[DIFFERENCE_BEFORE][at] += before;
		sums[DIFFERENCE_AFTER][at] += after;
		sums[DIFFERENCE_DRAWN][at] += width == WIDTH_AFTER  ? after
					      : width == WIDTH_MEAN ? before + after
					      : after > before      ? after - before
								    : before - after;
		if (planting->ends[node])
			sums[DIFFERENCE_DRAWN][planting->missing[node]] += before;
	}
}

struct difference_tree *difference_tree_create(const struct path_tree *tree, const struct difference_side *before,
	const struct difference_side *after, enum difference_width width)
{
	struct difference_tree *difference = memory_new(1, sizeof *difference);
	*difference =
		(struct difference_tree){.before = *before, .after = *after, .parts = parts_of(tree, before, after)};
	difference->drawn_parts = width == WIDTH_MEAN ? 2 * difference->parts : difference->parts;
	for (unsigned row = 0; row < DIFFERENCE_ROWS; row++)
		difference->rows[row] = tree->metrics->rows[after->metric];
	difference->table = (struct metric_table){difference->rows, DIFFERENCE_ROWS};
	struct planting planting = {.difference = difference,
		.from = tree,
		.growth = path_tree_grow(&difference->table, tree->nodes[0].frame.function),
		.place = memory_new(tree->count, sizeof *planting.place),
		.missing = memory_new(tree->count, sizeof *planting.missing),
		.ends = memory_new(tree->count, sizeof *planting.ends)};
	for (uint32_t node = 1; node < tree->count; node++)
		planting.place[node] =
			path_tree_child(&planting.growth, planting.place[tree->nodes[node].parent], &tree->nodes[node]);
	if (width == WIDTH_AFTER)
		plant_missing(&planting);
	sum(&planting, width);
	difference->tree = planting.growth.tree;
	path_tree_finish(difference->tree);
	number_map_free(&planting.growth.places);
	free(planting.place);
	free(planting.missing);
	free(planting.ends);
	return difference;
}

void difference_tree_free(struct difference_tree *difference)
{
	if (difference)
		path_tree_free(difference->tree);
	free(difference);
}

bool difference_is_missing(const struct difference_tree *difference, uint32_t node)
{
	return difference->missing && node >= difference->missing;
}

static struct sampled_sum sum_of(
	const struct difference_tree *difference, enum difference_row row, uint32_t node, bool exclusive)
{
	const struct difference_side *side = row == DIFFERENCE_BEFORE ? &difference->before : &difference->after;
	const struct path_tree *tree = difference->tree;
	const enum difference_row from =
		row == DIFFERENCE_BEFORE && difference_is_missing(difference, node) ? DIFFERENCE_DRAWN : row;
	double unit = side->scale * difference->parts;
	return (struct sampled_sum){.value = (double)(exclusive ? tree->exclusive : tree->inclusive)[from][node] / unit,
		.total = (double)tree->inclusive[row][0] / unit,
		.sample = side->sample,
		.scale = side->scale,
		.share = side->share};
}

struct change difference_change(const struct difference_tree *difference, uint32_t node, bool exclusive)
{
	struct sampled_sum before = sum_of(difference, DIFFERENCE_BEFORE, node, exclusive),
			   after = sum_of(difference, DIFFERENCE_AFTER, node, exclusive);
	struct change change = {
		before.value * before.scale, after.value * after.scale, difference_within_error(&before, &after)};
	bool is_scaled = difference->parts > 1;
	if (is_scaled && fabs(difference_of(&before, &after)) <= ROUNDING * (change.before + change.after))
		return (struct change){change.before, change.before, false};
	return change;
}

double difference_most(const struct difference_tree *difference, bool exclusive)
{
	double most = 0;
	for (uint32_t node = 1; node < difference->tree->count && !difference_is_missing(difference, node); node++) {
		if (!difference->tree->inclusive[DIFFERENCE_DRAWN][node])
			continue;
		struct change change = difference_change(difference, node, exclusive);
		most = fmax(most, fabs(change.after - change.before));
	}
	return most;
}
