/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the data of a page. */
#include "page_data.h"
#include "chart_data.h"
#include "data_bytes.h"
#include "number_map.h"
#include "preorder.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* A function whose frames have the same colours: inlined ones, and those of wakers, may have others. */
struct page_kind {
	uint32_t node; /* one of its frames */
	uint32_t rank;
	unsigned variant;
};
struct page_kinds {
	struct page_kind *all;
	uint32_t count;
	size_t capacity;
	uint32_t *of_node, *place; /* by node: its kind; by kind: where it is in the order of names */
	struct number_map known;   /* (function, variant) -> kind */
};

static uint32_t kind_of(struct page_kinds *kinds, const struct picture *picture, uint32_t node)
{
	const struct frame *frame = &picture->tree->nodes[node].frame;
	unsigned variant = (frame->inlined ? 1u : 0) | (picture->waker[node] ? 2u : 0);
	uint32_t *place = number_map_place(&kinds->known, number_pair(frame->function, variant));
	if (*place != NO_NUMBER)
		return *place;
	*place = kinds->count;
	memory_reserve(kinds->all, kinds->count, kinds->capacity);
	kinds->all[kinds->count] = (struct page_kind){node, picture_function(picture, node)->rank, variant};
	return kinds->count++;
}

static int compare_kinds(const void *left, const void *right, void *context)
{
	const struct page_kind *all = context, *a = &all[*(const uint32_t *)left], *b = &all[*(const uint32_t *)right];
	return COMPARE(a->rank, b->rank) ?: COMPARE(a->variant, b->variant);
}

/* Texts of functions, each once: their numbers by kind in the order of names. */
static void put_texts(
	struct data_bytes *bytes, const char *const *all, const size_t *lengths, uint32_t count, uint32_t *number)
{
	struct data_texts texts = {0};
	struct number_map known = {0};
	for (uint32_t i = 0; i < count; i++) {
		uint32_t *place = number_map_place(&known, (uintptr_t)all[i]); /* names are interned */
		if (*place == NO_NUMBER) {
			*place = texts.count;
			data_text(&texts, all[i], lengths ? lengths[i] : strlen(all[i]));
		}
		number[i] = *place;
	}
	number_map_free(&known);
	data_texts_end(bytes, &texts);
}

struct kind_texts {
	const char **names, **objects, **files;
	size_t *lengths;
	uint32_t *name, *object, *file; /* their numbers */
};

static struct kind_texts texts_of(
	struct data_bytes *bytes, const struct picture *picture, const struct page_kinds *kinds, const uint32_t *order)
{
	uint32_t count = kinds->count;
	struct kind_texts texts = {memory_new(count, sizeof *texts.names), memory_new(count, sizeof *texts.objects),
		memory_new(count, sizeof *texts.files), memory_new(count, sizeof *texts.lengths),
		memory_new(count, sizeof *texts.name), memory_new(count, sizeof *texts.object),
		memory_new(count, sizeof *texts.file)};
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = kinds->all[order[i]].node;
		const struct picture_function *function = picture_function(picture, node);
		texts.names[i] = function->name;
		texts.lengths[i] = function->length;
		texts.objects[i] = function->object_name;
		texts.files[i] = function->file_name;
	}
	put_texts(bytes, texts.names, texts.lengths, count, texts.name);
	put_texts(bytes, texts.objects, 0, count, texts.object);
	put_texts(bytes, texts.files, 0, count, texts.file);
	return texts;
}

static void free_texts(struct kind_texts *texts)
{
	free(texts->names);
	free(texts->objects);
	free(texts->files);
	free(texts->lengths);
	free(texts->name);
	free(texts->object);
	free(texts->file);
}

static void put_kinds(
	struct data_bytes *bytes, const struct picture *picture, const struct page *page, struct page_kinds *kinds)
{
	uint32_t *order = memory_new(kinds->count, sizeof *order);
	for (uint32_t i = 0; i < kinds->count; i++)
		order[i] = i;
	qsort_r(order, kinds->count, sizeof *order, compare_kinds, kinds->all);
	struct kind_texts texts = texts_of(bytes, picture, kinds, order);
	data_number(bytes, kinds->count);
	for (uint32_t i = 0; i < kinds->count; i++) {
		uint32_t node = kinds->all[order[i]].node;
		kinds->place[order[i]] = i;
		data_number(bytes, picture_function(picture, node)->rank);
		data_number(bytes, texts.name[i]);
		data_number(bytes, texts.object[i]);
		data_number(bytes, texts.file[i]);
		for (unsigned p = 0; p < page->palette_count; p++) {
			struct colour colour = picture_palette_colour(picture, page->palettes[p], node);
			data_byte(bytes, colour.red);
			data_byte(bytes, colour.green);
			data_byte(bytes, colour.blue);
		}
	}
	free_texts(&texts);
	free(order);
}

/* One of two groups may have no sums of a metric. */
static uint64_t value_at(const uint64_t *sums, uint32_t node)
{
	return sums ? sums[node] : 0;
}

static void put_nodes(struct data_bytes *bytes, const struct picture *picture, const struct page *page,
	const struct preorder *preorder, const struct page_kinds *kinds)
{
	const struct time_chart *chart = picture->options->chart;
	uint64_t *ends = chart ? memory_new(picture->tree->count, sizeof *ends) : 0;
	data_number(bytes, preorder->count);
	for (uint32_t i = 0; i < preorder->count; i++) {
		uint32_t node = preorder->nodes[i];
		data_number(bytes, i ? preorder->depths[i - 1] + 1 - preorder->depths[i] : 0);
		data_number(bytes, kinds->place[kinds->of_node[node]]);
		for (unsigned m = 0; m < page->metric_count; m++)
			data_number(bytes, value_at(picture->tree->exclusive[page->metrics[m]], node));
		if (chart)
			data_number(bytes, chart_lead(chart, node, ends));
	}
	free(ends);
	if (chart)
		chart_lanes(bytes, picture->options);
}

struct having {
	const struct path_tree *tree;
	const struct page *page;
};

static bool has_value(const void *context, uint32_t node)
{
	const struct having *having = context;
	for (unsigned m = 0; m < having->page->metric_count; m++)
		if (value_at(having->tree->inclusive[having->page->metrics[m]], node))
			return true;
	return false;
}

bool page_data_write(const struct picture *picture, const struct page *page, struct error *error)
{
	const struct path_tree *tree = picture->tree;
	struct having having = {tree, page};
	struct preorder preorder =
		preorder_of(tree, picture->options->chart ? 0 : picture->functions, 0, has_value, &having);
	struct page_kinds kinds = {.of_node = memory_new(tree->count, sizeof *kinds.of_node)};
	for (uint32_t i = 0; i < preorder.count; i++)
		kinds.of_node[preorder.nodes[i]] = kind_of(&kinds, picture, preorder.nodes[i]);
	kinds.place = memory_new(kinds.count, sizeof *kinds.place);
	struct data_bytes bytes = {0};
	struct data_texts facts = {0};
	data_text(&facts, page->facts, strlen(page->facts));
	data_texts_end(&bytes, &facts);
	put_kinds(&bytes, picture, page, &kinds);
	put_nodes(&bytes, picture, page, &preorder, &kinds);
	int status = data_deflate(&bytes);
	bool whole = status == Z_OK || error_set(error, "the data of the page cannot be deflated: %s", zError(status));
	if (whole)
		data_base64(picture->file, &bytes);
	data_free(&bytes);
	number_map_free(&kinds.known);
	free(kinds.of_node);
	free(kinds.place);
	free(kinds.all);
	preorder_free(&preorder);
	return whole;
}
