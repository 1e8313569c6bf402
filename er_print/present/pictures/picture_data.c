/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the tree of a picture. */
#include "picture_data.h"
#include "number_map.h"
#include "search.h"
#include "storage.h"
#include "xml_character.h"

#include <stdlib.h>
#include <string.h>

struct bytes {
	unsigned char *all;
	size_t count, capacity;
};

static void put_byte(struct bytes *bytes, unsigned char byte)
{
	memory_reserve(bytes->all, bytes->count, bytes->capacity);
	bytes->all[bytes->count++] = byte;
}

static void put_number(struct bytes *bytes, uint64_t number)
{
	for (; number >= 128; number >>= 7)
		put_byte(bytes, (unsigned char)(128 | (number & 127)));
	put_byte(bytes, (unsigned char)number);
}

static void put_base64(FILE *file, const struct bytes *bytes)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < bytes->count; i += 3) {
		size_t left = bytes->count - i;
		unsigned group = (unsigned)bytes->all[i] << 16 | (left > 1 ? (unsigned)bytes->all[i + 1] << 8 : 0) |
				 (left > 2 ? bytes->all[i + 2] : 0u);
		char text[4] = {digits[group >> 18], digits[group >> 12 & 63], left > 1 ? digits[group >> 6 & 63] : '=',
			left > 2 ? digits[group & 63] : '='};
		fwrite(text, 1, sizeof text, file);
	}
}

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

static struct kinds kinds_of(const struct picture *picture, const struct flamegraph_layout *layout)
{
	struct kinds kinds = {.of_node = memory_new(picture->tree->count, sizeof *kinds.of_node)};
	for (uint32_t i = 0; i < layout->count; i++)
		kinds.of_node[layout->frames[i].node] = kind_of(&kinds, picture, layout->frames[i].node);
	return kinds;
}

/* Writes a text that shares its beginning with the one before it; what no text of XML can hold is U+FFFD. */
static void put_text(struct bytes *bytes, struct bytes *before, const char *text, size_t length)
{
	struct bytes now = {0};
	for (const unsigned char *next = (const unsigned char *)text, *end = next + length; next < end;) {
		unsigned size = xml_character(next);
		const unsigned char *from = size ? next : (const unsigned char *)"\xef\xbf\xbd";
		for (unsigned i = 0; i < (size ? size : 3); i++)
			put_byte(&now, from[i]);
		next += size ? size : 1;
	}
	size_t shared = 0;
	while (shared < now.count && shared < before->count && now.all[shared] == before->all[shared])
		shared++;
	put_number(bytes, shared);
	put_number(bytes, now.count - shared);
	for (size_t i = shared; i < now.count; i++)
		put_byte(bytes, now.all[i]);
	free(before->all);
	*before = now;
}

/* Writes the kinds in their order; place[kind]: where it is. Functions are in the order of their names, so that each name is new or
   the last. */
static void put_kinds(struct bytes *bytes, const struct picture *picture, const struct kinds *kinds, uint32_t *place)
{
	uint32_t *order = memory_new(kinds->count, sizeof *order), *text = memory_new(kinds->count, sizeof *text);
	struct bytes texts = {0}, before = {0};
	uint32_t text_count = 0;
	for (uint32_t i = 0; i < kinds->count; i++)
		order[i] = i;
	qsort_r(order, kinds->count, sizeof *order, compare_kinds, kinds->all);
	for (uint32_t i = 0; i < kinds->count; i++) {
		const struct frame_kind *kind = &kinds->all[order[i]];
		place[order[i]] = i;
		if (!i || kind->function != kinds->all[order[i - 1]].function) {
			const struct picture_function *function = &picture->functions[kind->function];
			put_text(&texts, &before, function->name, function->length);
			text_count++;
		}
		text[i] = text_count - 1;
	}
	put_number(bytes, text_count);
	for (size_t i = 0; i < texts.count; i++)
		put_byte(bytes, texts.all[i]);
	put_number(bytes, kinds->count);
	for (uint32_t i = 0; i < kinds->count; i++) {
		struct colour colour = kinds->all[order[i]].colour;
		put_number(bytes, text[i]);
		put_byte(bytes, colour.red);
		put_byte(bytes, colour.green);
		put_byte(bytes, colour.blue);
	}
	free(before.all);
	free(texts.all);
	free(text);
	free(order);
}

static void put_nodes(struct bytes *bytes, const struct picture *picture, const struct flamegraph_layout *layout,
	const struct kinds *kinds, const uint32_t *place)
{
	const uint64_t *exclusive = picture->tree->exclusive[picture->metric];
	uint32_t before = 0;
	put_number(bytes, layout->count);
	for (uint32_t i = 0; i < layout->count; i++) {
		const struct flamegraph_frame *frame = &layout->frames[i];
		put_number(bytes, i ? before + 1 - frame->depth : 0);
		put_number(bytes, place[kinds->of_node[frame->node]]);
		put_number(bytes, exclusive[frame->node]);
		before = frame->depth;
	}
}

void picture_data_write(const struct picture *picture)
{
	struct flamegraph_layout layout;
	flamegraph_lay_out(&layout, &(struct flamegraph_plan){.tree = picture->tree,
					    .metric = picture->metric,
					    .order = picture_by_name,
					    .context = picture->functions});
	struct kinds kinds = kinds_of(picture, &layout);
	uint32_t *place = memory_new(kinds.count, sizeof *place);
	struct bytes bytes = {0};
	put_kinds(&bytes, picture, &kinds, place);
	put_nodes(&bytes, picture, &layout, &kinds, place);
	put_base64(picture->file, &bytes);
	free(bytes.all);
	free(place);
	number_map_free(&kinds.known);
	free(kinds.of_node);
	free(kinds.all);
	flamegraph_layout_free(&layout);
}
