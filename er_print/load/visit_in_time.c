/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges the blocks of an experiment by time. A block is in the order of time itself and is decoded when its time has come:
   about as many are open at a time as threads were running. */
#include "ahead.h"
#include "open_blocks.h"
#include "progress.h"

#include <stdlib.h>

struct merge {
	struct visit visit;
	uint32_t experiment;
	unsigned source; /* of the experiment */
	struct block_start *starts;
	unsigned next, count;
	struct ahead *ahead; /* decodes them in that order */
	struct open_blocks open;
	bool by_thread; /* data_visit_threads_in_time() */
};

static void decode(void *context, unsigned worker, size_t item, void *room)
{
	const struct merge *merge = context;
	struct decoded_block *decoded = room;
	(void)worker;
	const struct visited_block block = {merge->experiment, merge->source, merge->starts[item].block};
	visit_decode(&merge->visit, &block, decoded);
	if (decoded->some)
		open_block_make_monotone(decoded, 0);
}

static void open_next(struct merge *merge)
{
	progress_show(kind_row(merge->visit.kind)->title, merge->next++, merge->count);
	progress_checkpoint();
	struct decoded_block *block = ahead_take(merge->ahead);
	if (block->some)
		open_blocks_add(&merge->open, &(struct open_block){.block = block});
	else
		ahead_give_back(merge->ahead, block);
}

/* No block that is not open yet has an earlier event. */
static uint64_t next_begins(const struct merge *merge)
{
	return merge->next < merge->count ? merge->starts[merge->next].time : UINT64_MAX;
}

/* A block is a thread's alone until the thread ends or the block is full: none of its other events lies between those. */
static uint32_t end_of_thread(const struct data_batch *batch, uint32_t from)
{
	uint32_t to = from + 1;
	while (to < batch->count && batch->thread[to] == batch->thread[from])
		to++;
	return to;
}

static void hand_on(struct merge *merge, data_visitor *visitor, void *context)
{
	struct open_block *first = &merge->open.array[0];
	const struct data_batch *batch = &first->block->batch;
	uint32_t to = merge->by_thread ? end_of_thread(batch, first->next)
				       : open_blocks_end(&merge->open, next_begins(merge));
	struct data_batch part = open_block_part(batch, first->next, to);
	visitor(context, &part);
	first->next = to;
	if (to < batch->count) {
		open_blocks_moved(&merge->open);
		return;
	}
	ahead_give_back(merge->ahead, first->block);
	open_blocks_remove(&merge->open);
}

static void merge_source(struct merge *merge, data_visitor *visitor, void *context)
{
	const struct loaded_experiment *loaded = &merge->visit.data->experiments[merge->experiment];
	merge->starts = block_starts(loaded, merge->source);
	merge->next = 0;
	merge->count = loaded->file->sources[merge->source].block_count;
	const struct ahead_work work = {merge->count, sizeof(struct decoded_block), decode, visit_empty, merge};
	merge->ahead = ahead_begin(&work);
	while (merge->next < merge->count || merge->open.count) {
		while (merge->next < merge->count &&
			(!merge->open.count || next_begins(merge) <= open_block_time(&merge->open.array[0])))
			open_next(merge);
		if (merge->open.count)
			hand_on(merge, visitor, context);
	}
	ahead_end(merge->ahead);
	free(merge->starts);
}

static void visit_merged(struct data *data, enum kind kind, bool by_thread, data_visitor *visitor, void *context)
{
	struct merge merge = {.by_thread = by_thread};
	visit_begin(&merge.visit, data, kind);
	for (merge.experiment = 0; merge.experiment < data->experiment_count; merge.experiment++) {
		const struct experiment *file = data->experiments[merge.experiment].file;
		for (merge.source = 0; merge.source < file->source_count; merge.source++)
			if (file->sources[merge.source].kind == (int)kind)
				merge_source(&merge, visitor, context);
	}
	free(merge.open.array);
	visit_end(&merge.visit);
}

void data_visit_in_time(struct data *data, enum kind kind, data_visitor *visitor, void *context)
{
	visit_merged(data, kind, false, visitor, context);
}

void data_visit_threads_in_time(struct data *data, enum kind kind, data_visitor *visitor, void *context)
{
	visit_merged(data, kind, true, visitor, context);
}
