/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges the blocks of an experiment by time. A block is in the order of time itself and is decoded when its time has come:
   about as many are open at a time as threads were running. */
#include "ahead.h"
#include "progress.h"
#include "search.h"
#include "storage.h"
#include "visit.h"

#include <stdlib.h>

struct open_block {
	struct decoded_block *block;
	uint32_t next; /* event of it */
};

struct merge {
	struct visit visit;
	uint32_t experiment;
	unsigned source; /* of the experiment */
	struct block_order {
		uint64_t start;
		unsigned index;
	} * order; /* blocks by their start */
	unsigned next, count;
	struct ahead *ahead;     /* decodes them in that order */
	struct open_block *open; /* a heap: the one with the earliest event first */
	unsigned open_count;
	bool by_thread; /* data_visit_threads_in_time() */
};

static uint64_t time_of(const struct open_block *block)
{
	return block->block->batch.time[block->next];
}

static int by_start(const void *a, const void *b)
{
	const struct block_order *x = a, *y = b;
	return COMPARE(x->start, y->start) ?: COMPARE(x->index, y->index);
}

static void exchange(struct merge *merge, unsigned a, unsigned b)
{
	struct open_block block = merge->open[a];
	merge->open[a] = merge->open[b];
	merge->open[b] = block;
}

static void sink(struct merge *merge, unsigned place)
{
	for (;;) {
		unsigned least = place;
		for (unsigned child = 2 * place + 1; child <= 2 * place + 2 && child < merge->open_count; child++)
			if (time_of(&merge->open[child]) < time_of(&merge->open[least]))
				least = child;
		if (least == place)
			return;
		exchange(merge, place, least);
		place = least;
	}
}

static void rise(struct merge *merge, unsigned place)
{
	while (place && time_of(&merge->open[place]) < time_of(&merge->open[(place - 1) / 2])) {
		exchange(merge, place, (place - 1) / 2);
		place = (place - 1) / 2;
	}
}

/* The order of a block is that in which its thread did things, whatever the clock said. */
static void make_monotone(uint64_t *time, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (time[i] < time[i - 1])
			time[i] = time[i - 1];
}

static void decode(void *context, unsigned worker, size_t item, void *room)
{
	const struct merge *merge = context;
	struct decoded_block *decoded = room;
	(void)worker;
	const struct visited_block block = {merge->experiment, merge->source, merge->order[item].index};
	visit_decode(&merge->visit, &block, decoded);
	if (decoded->some)
		make_monotone(decoded->events.time, decoded->events.count);
}

static void open_next(struct merge *merge)
{
	progress_show(kind_row(merge->visit.kind)->title, merge->next++, merge->count);
	progress_checkpoint();
	struct decoded_block *block = ahead_take(merge->ahead);
	if (!block->some) {
		ahead_give_back(merge->ahead, block);
		return;
	}
	merge->open = memory_room(merge->open, merge->open_count, sizeof *merge->open);
	merge->open[merge->open_count++] = (struct open_block){block, 0};
	rise(merge, merge->open_count - 1);
}

/* The time of the earliest event that is not the first block's. */
static uint64_t others_begin(const struct merge *merge)
{
	uint64_t time = UINT64_MAX;
	if (merge->next < merge->count)
		time = merge->order[merge->next].start;
	for (unsigned child = 1; child <= 2 && child < merge->open_count; child++)
		if (time_of(&merge->open[child]) < time)
			time = time_of(&merge->open[child]);
	return time;
}

static struct data_batch part_of(const struct data_batch *whole, uint32_t from, uint32_t to)
{
	struct data_batch part = *whole;
	part.count = to - from;
	part.time += from;
	part.thread += from;
	part.cpu += from;
	part.stack += from;
	for (unsigned f = 0; f < FIELDS_MAX && part.field[f]; f++)
		part.field[f] += from;
	return part;
}

/* The end of what of the first block is not later than anything else. */
static uint32_t end_in_time(const struct merge *merge, const struct data_batch *batch, uint32_t from)
{
	uint64_t limit = others_begin(merge);
	uint32_t to = from + 1;
	while (to < batch->count && batch->time[to] <= limit)
		to++;
	return to;
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
	struct open_block *first = &merge->open[0];
	const struct data_batch *batch = &first->block->batch;
	uint32_t from = first->next;
	uint32_t to = merge->by_thread ? end_of_thread(batch, from) : end_in_time(merge, batch, from);
	struct data_batch part = part_of(batch, from, to);
	visitor(context, &part);
	first->next = to;
	if (to == batch->count) {
		ahead_give_back(merge->ahead, first->block);
		*first = merge->open[--merge->open_count];
	}
	sink(merge, 0);
}

static void put_in_order(struct merge *merge)
{
	const struct loaded_experiment *experiment = &merge->visit.data->experiments[merge->experiment];
	const struct event_source *source = &experiment->file->sources[merge->source];
	merge->next = 0;
	merge->count = source->block_count;
	merge->order = memory_new(merge->count, sizeof *merge->order);
	for (unsigned b = 0; b < merge->count; b++)
		merge->order[b] = (struct block_order){
			event_block_start(experiment->file, source, b) + experiment->start_offset, b};
	qsort(merge->order, merge->count, sizeof *merge->order, by_start);
}

static void merge_source(struct merge *merge, data_visitor *visitor, void *context)
{
	put_in_order(merge);
	const struct ahead_work work = {merge->count, sizeof(struct decoded_block), decode, visit_empty, merge};
	merge->ahead = ahead_begin(&work);
	while (merge->next < merge->count || merge->open_count) {
		while (merge->next < merge->count &&
			(!merge->open_count || merge->order[merge->next].start <= time_of(&merge->open[0])))
			open_next(merge);
		if (merge->open_count)
			hand_on(merge, visitor, context);
	}
	ahead_end(merge->ahead);
	free(merge->order);
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
	free(merge.open);
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
