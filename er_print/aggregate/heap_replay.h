/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays the heap events of each process in the order of time: which block or mapping a release ends, and what is left at
   the end. Blocks are what malloc and its like gave; mappings what the program got from the kernel by itself, of which
   parts may be given back. */
#ifndef HEAP_REPLAY_H
#define HEAP_REPLAY_H

#include "event_filter.h"
#include "metrics.h"

/* An event that allocates: a block, or with mmap, mremap, brk a mapping. */
static inline bool heap_maps(uint64_t what)
{
	return what >= STATE_VALUE(HEAP, what, mmap) && what <= STATE_VALUE(HEAP, what, brk);
}
static inline bool heap_allocates(uint64_t what, uint64_t error)
{
	return what - STATE_VALUE(HEAP, what, malloc) <=
		       STATE_VALUE(HEAP, what, brk) - STATE_VALUE(HEAP, what, malloc) &&
	       !error;
}

/* A block, or what there is of a mapping. */
struct heap_piece {
	uint64_t address, size;
	uint32_t stack; /* that allocated it, or the key of the allocation */
	bool mapping;
	bool counts; /* the filter keeps its allocation */
	bool again;  /* its allocation was told before, with another piece or because it was taken for released */
};

/* What does not fit. */
struct heap_oddities {
	uint64_t unknown_releases; /* of blocks that were not allocated while recording */
	uint64_t missed_releases;  /* blocks whose address was allocated again without a release in between */
};
/* What a replay tells; functions that are 0 are not called. Times are those of batches. */
struct heap_listener {
	void *context;
	/* Before all of a process's pieces, and after them. */
	void (*begin)(void *context, const struct loaded_experiment *experiment);
	void (*end)(void *context, const struct loaded_experiment *experiment, const struct heap_oddities *oddities);
	void (*allocated)(void *context, uint64_t time, const struct heap_piece *piece);
	void (*released)(void *context, uint64_t time, const struct heap_piece *piece);
	void (*left)(void *context, const struct heap_piece *piece); /* at the end of its process */
	const struct metric_keys *keys; /* what pieces have in place of their stack; 0: nothing */
};
void heap_replay(struct data *data, const struct event_filter *filter, const struct heap_listener *listener);

#endif
