/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams the events of a kind: each block is decoded, its stacks and times made common, and handed on. */
#include "visit.h"
#include "ahead.h"
#include "progress.h"
#include "storage.h"
#include <stdlib.h>

/* All blocks of a kind in the order of the files. */
struct visiting {
	struct visit visit;
	struct visited_block *blocks;
	size_t count;
	data_visitor *visitor; /* each worker's own context; 0: the taker visits */
	void *const *contexts;
};

static size_t count_blocks(const struct data *data, enum kind kind)
{
	size_t count = 0;
	for (uint32_t e = 0; e < data->experiment_count; e++)
		for (unsigned s = 0; s < data->experiments[e].file->source_count; s++)
			if (data->experiments[e].file->sources[s].kind == (int)kind)
				count += data->experiments[e].file->sources[s].block_count;
	return count;
}

static void begin(struct visiting *visiting, const struct data *data, enum kind kind)
{
	visit_begin(&visiting->visit, data, kind);
	visiting->blocks = memory_new(count_blocks(data, kind), sizeof *visiting->blocks);
	for (uint32_t e = 0; e < data->experiment_count; e++) {
		const struct experiment *file = data->experiments[e].file;
		for (unsigned s = 0; s < file->source_count; s++)
			for (unsigned b = 0; file->sources[s].kind == (int)kind && b < file->sources[s].block_count;
				b++)
				visiting->blocks[visiting->count++] = (struct visited_block){e, s, b};
	}
}

static void make(void *context, unsigned worker, size_t item, void *room)
{
	const struct visiting *visiting = context;
	struct decoded_block *decoded = room;
	visit_decode(&visiting->visit, &visiting->blocks[item], decoded);
	if (visiting->visitor && decoded->some)
		visiting->visitor(visiting->contexts[worker], &decoded->batch);
}

/* visitor 0: each block is visited when it is made. */
static void visit_all(struct visiting *visiting, data_visitor *visitor, void *context)
{
	const struct ahead_work work = {visiting->count, sizeof(struct decoded_block), make, visit_empty, visiting};
	struct ahead *ahead = ahead_begin(&work);
	struct decoded_block *decoded;
	uint64_t done = 0;
	progress_checkpoint();
	while ((decoded = ahead_take(ahead))) {
		progress_show(kind_row(visiting->visit.kind)->title, ++done, visiting->count);
		if (visitor && decoded->some)
			visitor(context, &decoded->batch);
		ahead_give_back(ahead, decoded);
		progress_checkpoint();
	}
	ahead_end(ahead);
	free(visiting->blocks);
	visit_end(&visiting->visit);
}

void data_visit(struct data *data, enum kind kind, data_visitor *visitor, void *context)
{
	struct visiting visiting = {.visitor = 0};
	begin(&visiting, data, kind);
	visit_all(&visiting, visitor, context);
}

unsigned data_visit_workers(const struct data *data, enum kind kind)
{
	return ahead_workers(count_blocks(data, kind));
}

void data_visit_apart(struct data *data, enum kind kind, data_visitor *visitor, void *const *contexts)
{
	struct visiting visiting = {.visitor = visitor, .contexts = contexts};
	begin(&visiting, data, kind);
	visit_all(&visiting, 0, 0);
}
