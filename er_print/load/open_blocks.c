/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A binary heap by the time of the next event. */
#include "open_blocks.h"
#include "search.h"
#include "storage.h"

#include <stdlib.h>

static int by_start(const void *left, const void *right)
{
	const struct block_start *a = left, *b = right;
	return COMPARE(a->time, b->time) ?: COMPARE(a->block, b->block);
}

struct block_start *block_starts(const struct loaded_experiment *experiment, unsigned source)
{
	const struct event_source *blocks = &experiment->file->sources[source];
	struct block_start *starts = memory_new(blocks->block_count, sizeof *starts);
	for (unsigned b = 0; b < blocks->block_count; b++)
		starts[b] = (struct block_start){
			event_block_start(experiment->file, blocks, b) + experiment->start_offset, b};
	if (blocks->block_count)
		qsort(starts, blocks->block_count, sizeof *starts, by_start);
	return starts;
}

static void exchange(struct open_blocks *blocks, unsigned a, unsigned b)
{
	struct open_block block = blocks->array[a];
	blocks->array[a] = blocks->array[b];
	blocks->array[b] = block;
}

static void sink(struct open_blocks *blocks, unsigned place)
{
	const struct open_block *array = blocks->array;
	for (;;) {
		unsigned least = place;
		for (unsigned child = 2 * place + 1; child <= 2 * place + 2 && child < blocks->count; child++)
			if (open_block_time(&array[child]) < open_block_time(&array[least]))
				least = child;
		if (least == place)
			return;
		exchange(blocks, place, least);
		place = least;
	}
}

static void rise(struct open_blocks *blocks, unsigned place)
{
	const struct open_block *array = blocks->array;
	while (place && open_block_time(&array[place]) < open_block_time(&array[(place - 1) / 2])) {
		exchange(blocks, place, (place - 1) / 2);
		place = (place - 1) / 2;
	}
}

void open_blocks_add(struct open_blocks *blocks, const struct open_block *block)
{
	memory_reserve(blocks->array, blocks->count, blocks->capacity);
	blocks->array[blocks->count++] = *block;
	rise(blocks, blocks->count - 1);
}

void open_blocks_moved(struct open_blocks *blocks)
{
	sink(blocks, 0);
}

void open_blocks_remove(struct open_blocks *blocks)
{
	blocks->array[0] = blocks->array[--blocks->count];
	sink(blocks, 0);
}

uint32_t open_blocks_end(const struct open_blocks *blocks, uint64_t limit)
{
	const struct data_batch *batch = &blocks->array[0].block->batch;
	uint32_t to = blocks->array[0].next + 1;
	for (unsigned child = 1; child <= 2 && child < blocks->count; child++)
		if (open_block_time(&blocks->array[child]) < limit)
			limit = open_block_time(&blocks->array[child]);
	while (to < batch->count && batch->time[to] <= limit)
		to++;
	return to;
}

struct data_batch open_block_part(const struct data_batch *whole, uint32_t from, uint32_t to)
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

void open_block_make_monotone(struct decoded_block *decoded, uint64_t from)
{
	uint64_t *time = decoded->events.time;
	for (uint32_t i = 0; i < decoded->events.count; i++) {
		from = time[i] > from ? time[i] : from;
		time[i] = from;
	}
}
