/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of events that are decoded, whole or in part, and wait for their time. For the files of this room only. */
#ifndef OPEN_BLOCKS_H
#define OPEN_BLOCKS_H

#include "visit.h"

struct block_start {
	uint64_t time; /* ns since the founder's start */
	unsigned block;
};
/* The blocks of a source of an experiment by their start. The caller frees them. */
struct block_start *block_starts(const struct loaded_experiment *experiment, unsigned source);

struct open_block {
	struct decoded_block *block;
	uint32_t next;   /* event of it */
	unsigned number; /* these are the owner's: which block it is, how far it is decoded, and its next part */
	struct event_cursor cursor;
	struct next_part *ahead;
};
/* A heap: the one with the earliest event first. */
struct open_blocks {
	struct open_block *array;
	unsigned count, capacity;
};
static inline uint64_t open_block_time(const struct open_block *block)
{
	return block->block->batch.time[block->next];
}
void open_blocks_add(struct open_blocks *blocks, const struct open_block *block);
/* The first one goes on from another event, or ends. */
void open_blocks_moved(struct open_blocks *blocks);
void open_blocks_remove(struct open_blocks *blocks);
/* The end of the first one's next events that are not later than any of the others, nor than `limit`: at least one. */
uint32_t open_blocks_end(const struct open_blocks *blocks, uint64_t limit);
/* The events from one to before another. */
struct data_batch open_block_part(const struct data_batch *whole, uint32_t from, uint32_t to);
/* The order of a block is that in which its thread did things, whatever the clock said; none is before `from`. */
void open_block_make_monotone(struct decoded_block *decoded, uint64_t from);

#endif
